import type { Command } from "../command.ts";

export const prompt: Command = {
  name: "prompt",
  summary: "Get a prompt from a server and show its messages.",
  parameters: "<server> <prompt> [key=value …]",
  notes: ["key=value    set an argument", "key=@file    set an argument to a file's contents"],
  words: { least: 2, most: Number.POSITIVE_INFINITY },
  flags: {},
  examples: [
    "plugboard prompt docs summarize topic=tea",
    "plugboard prompt docs review code=@main.ts --json",
  ],
  run: async (context) => (await import("./show-prompt.lazy.ts")).showPrompt(context),
};
