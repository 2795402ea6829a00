import type { Command } from "../command.ts";

export const prompts: Command = {
  name: "prompts",
  summary: "List the prompts of one server, or of all approved servers.",
  parameters: "[server]",
  words: { least: 0, most: 1 },
  flags: { refresh: { type: "boolean", summary: "query the server instead of using the cached list" } },
  examples: ["plugboard prompts", "plugboard prompts docs --json"],
  run: async (context) => (await import("./show-offers.lazy.ts")).showPrompts(context),
};
