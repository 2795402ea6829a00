import type { Command } from "../../shared/command.ts";

export const ps: Command = {
  name: "ps",
  summary: "Show every running server process, with its owner, memory and processor time.",
  parameters: "",
  notes: [
    "Shows the daemon's servers, and the servers that your other Plugboard programs run themselves.",
    "MEMORY counts memory that processes share in part. CPU is the use of one processor since the last measurement.",
    'Limits: "maxMemoryMb" in a server\'s entry; "serverMemoryMb", "totalMemoryMb" and "serverProcesses" in settings.json.',
  ],
  words: { least: 0, most: 0 },
  flags: {},
  examples: ["plugboard ps", "plugboard ps --json"],
  run: async (context) => (await import("./show-processes.lazy.ts")).showProcesses(context),
};
