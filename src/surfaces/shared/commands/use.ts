import type { Command } from "../command.ts";
import { SCOPE_FLAG } from "./scope.ts";

export const use: Command = {
  name: "use",
  summary: "Use a profile: a named set of servers. The others are off while it is in use.",
  parameters: "[profile] [server …]",
  notes: [
    "Without a profile, lists the profiles. With servers, creates or changes your own profile first.",
    "A profile never starts a server that you did not approve. A project's profile leaves your own servers as they are.",
  ],
  words: { least: 0, most: Number.POSITIVE_INFINITY },
  flags: {
    scope: { ...SCOPE_FLAG, summary: "use it in this project, or in every folder (default: project)" },
    none: { type: "boolean", summary: "stop using a profile" },
  },
  examples: ["plugboard use frontend files browser", "plugboard use --none"],
  run: async (context) => (await import("./use-profile.lazy.ts")).runUse(context),
};
