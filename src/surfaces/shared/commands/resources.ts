import type { Command } from "../command.ts";

export const resources: Command = {
  name: "resources",
  summary: "Show the resources and resource templates of one server, or of all approved ones.",
  parameters: "[server]",
  words: { least: 0, most: 1 },
  flags: { refresh: { type: "boolean", summary: "ask the server even when its resources are known" } },
  examples: ["plugboard resources", "plugboard resources docs --json"],
  run: async (context) => (await import("./show-offers.lazy.ts")).showResources(context),
};
