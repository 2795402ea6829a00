import type { Command } from "../command.ts";

export const prompts: Command = {
  name: "prompts",
  summary: "Show the prompts of one server, or of all approved ones.",
  parameters: "[server]",
  words: { least: 0, most: 1 },
  flags: { refresh: { type: "boolean", summary: "ask the server even when its prompts are known" } },
  examples: ["plugboard prompts", "plugboard prompts docs --json"],
  run: async (context) => (await import("./show-offers.lazy.ts")).showPrompts(context),
};
