import type { Host, Problem } from "../index.ts";

/** Collects the problems that a host reports from now on. Returns a function that returns them with the host's current problems. */
export function collectProblems(host: Host): () => readonly Problem[] {
  const reported: Problem[] = [];
  host.subscribe((event) => {
    if (event.type === "problem") reported.push(event.problem);
  });
  return () => {
    const { problems, servers } = host.snapshot();
    const all = [...problems, ...servers.flatMap((server) => server.problems), ...reported];
    return [...new Map(all.map((problem) => [problem.message, problem])).values()];
  };
}
