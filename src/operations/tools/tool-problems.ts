import type { EventHub, Problem } from "../../model/index.ts";

/** Problems with servers' tools, found while listing them. Each is published once. */
export interface ToolProblems {
  /** Replaces the problems of a server. */
  replace(server: string, problems: readonly Problem[]): void;
  /** Adds a problem that lasts until the host is closed. */
  add(problem: Problem): void;
  all(): readonly Problem[];
}

export function createToolProblems({ publish }: Pick<EventHub, "publish">): ToolProblems {
  const permanent = new Map<string, Problem>();
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
      if (permanent.has(problem.message)) return;
      permanent.set(problem.message, problem);
      publish({ type: "problem", problem });
    },
    all: () => [...permanent.values(), ...[...byServer.values()].flat()],
  };
}
