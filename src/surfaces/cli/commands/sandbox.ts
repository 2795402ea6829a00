import type { Command } from "../../shared/command.ts";

export const sandbox: Command = {
  name: "sandbox",
  summary: "Show what a sandboxed server can reach, or learn what it needs.",
  parameters: "test <server> | learn <server> [tool] [key=value …]",
  notes: [
    "test     runs a program in the server's sandbox that tries what it can reach",
    "learn    runs the server in its sandbox, calls the tool if there is one, shows what was refused, and proposes a sandbox",
  ],
  words: { least: 2, most: Number.POSITIVE_INFINITY },
  flags: {
    input: { type: "string", value: "<json>", summary: "all arguments of the tool as JSON, @file, or -" },
    yes: {
      type: "boolean",
      short: "y",
      summary: "use the proposed sandbox without a prompt; requires --hash",
    },
    hash: { type: "string", value: "<sha256>", summary: "hash of the proposed sandbox that you reviewed" },
  },
  takesRest: true,
  examples: [
    "plugboard sandbox test files",
    "plugboard sandbox learn files",
    "plugboard sandbox learn files read_text_file path=/srv/notes/today.md",
  ],
  run: async (context) => (await import("./try-sandbox.lazy.ts")).trySandbox(context),
};
