import type { Command } from "../../shared/command.ts";

export const tasks: Command = {
  name: "tasks",
  summary: "Show calls that servers are still working on, wait for their results, or cancel them.",
  parameters: "[wait <task> | cancel <task>]",
  notes: [
    "Some servers run long calls as tasks. A task continues when the program that made the call ends, even by kill -9.",
    "The beginning of an id is enough. Results are kept by the server, for as long as it decides.",
  ],
  words: { least: 0, most: 2 },
  flags: {},
  examples: ["plugboard tasks", "plugboard tasks wait 3f9c", "plugboard tasks cancel 3f9c"],
  run: async (context) => (await import("./show-tasks.lazy.ts")).showTasks(context),
};
