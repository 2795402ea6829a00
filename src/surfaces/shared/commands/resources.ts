import type { Command } from "../command.ts";

export const resources: Command = {
  name: "resources",
  summary: "List the resources and resource templates of one server, or of all approved servers.",
  parameters: "[server]",
  words: { least: 0, most: 1 },
  flags: { refresh: { type: "boolean", summary: "query the server instead of using the cached list" } },
  examples: ["plugboard resources", "plugboard resources docs --json"],
  run: async (context) => (await import("./show-offers.lazy.ts")).showResources(context),
};
