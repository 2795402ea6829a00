import type { EventHub, Problem } from "../../model/index.ts";

/** What is wrong with servers' tools, as found while listing them. Each is announced once. */
export interface ToolProblems {
  /** What was found this time in place of what was found before. */
  replace(server: string, problems: readonly Problem[]): void;
  add(problem: Problem): void;
  all(): readonly Problem[];
}

export function createToolProblems({ publish }: Pick<EventHub, "publish">): ToolProblems {
  const lasting = new Map<string, Problem>();
  const byServer = new Map<string, readonly Problem[]>();
  return {
    replace(server, problems) {
      const before = new Set(byServer.get(server)?.map(({ message }) => message));
      byServer.set(server, problems);
      for (const problem of problems) {
        if (!before.has(problem.message)) publish({ type: "problem", problem });
      }
    },
    add(problem) {
      if (lasting.has(problem.message)) return;
      lasting.set(problem.message, problem);
      publish({ type: "problem", problem });
    },
    all: () => [...lasting.values(), ...[...byServer.values()].flat()],
  };
}
