import type { Command } from "../command.ts";

export const prompt: Command = {
  name: "prompt",
  summary: "Get a prompt from a server and show its messages.",
  parameters: "<server> <prompt> [key=value …]",
  notes: ["key=value    the value of an argument", "key=@file    the contents of a file"],
  words: { least: 2, most: Number.POSITIVE_INFINITY },
  flags: {},
  examples: [
    "plugboard prompt docs summarize topic=tea",
    "plugboard prompt docs review code=@main.ts --json",
  ],
  run: async (context) => (await import("./show-prompt.lazy.ts")).showPrompt(context),
};
