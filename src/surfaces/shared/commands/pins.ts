import type { Command } from "../command.ts";

export const pins: Command = {
  name: "pins",
  summary: "Review tools that changed since they were pinned, and accept the changes.",
  parameters: "[diff|accept] [server]",
  notes: ["diff      show the changes field by field", "accept    pin the tools as they are now"],
  words: { least: 0, most: 2 },
  flags: {
    yes: { type: "boolean", short: "y", summary: "accept without a prompt; requires --hash" },
    hash: { type: "string", value: "<sha256>", summary: "hash of the tools you reviewed" },
  },
  examples: ["plugboard pins", "plugboard pins diff github", "plugboard pins accept github"],
  run: async (context) => (await import("./review-pins.lazy.ts")).reviewPins(context),
};
