import type { Command } from "../command.ts";

export const prompt: Command = {
  name: "prompt",
  summary: "Have a server fill in a prompt, and show its messages.",
  parameters: "<server> <prompt> [key=value …]",
  notes: ["key=value    the text of an argument", "key=@file    the text of a file"],
  words: { least: 2, most: Number.POSITIVE_INFINITY },
  flags: {},
  examples: [
    "plugboard prompt docs summarize topic=tea",
    "plugboard prompt docs review code=@main.ts --json",
  ],
  run: async (context) => (await import("./show-prompt.lazy.ts")).showPrompt(context),
};
