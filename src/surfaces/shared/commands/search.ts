import type { Command } from "../command.ts";

export const search: Command = {
  name: "search",
  summary: "Find servers in the MCP registry by words in their names.",
  parameters: "<words>",
  notes: [
    "Anyone can publish in the registry. Results are stored, and used if the registry cannot be reached.",
    'The registry\'s address is "registry" in ~/.plugboard/settings.json.',
  ],
  words: { least: 1, most: Number.POSITIVE_INFINITY },
  flags: {},
  examples: ["plugboard search filesystem", "plugboard search github issues --json"],
  run: async (context) => (await import("./search-registry.lazy.ts")).searchRegistry(context),
};
