import type { Command } from "../../shared/command.ts";

export const inventory: Command = {
  name: "inventory",
  summary: "List every server on this machine with its packages, as CycloneDX or SARIF.",
  parameters: "",
  notes: [
    "Includes the config files of all tools, and of other projects whose servers you approved.",
    "Starts and contacts nothing.",
  ],
  words: { least: 0, most: 0 },
  flags: {
    format: { type: "string", value: "cyclonedx|sarif", summary: "CycloneDX 1.6 (default) or SARIF 2.1.0" },
  },
  examples: ["plugboard inventory > servers.cdx.json", "plugboard inventory --format sarif"],
  run: async (context) => (await import("./print-inventory.lazy.ts")).printInventory(context),
};
