import type { Command } from "../command.ts";

export const pins: Command = {
  name: "pins",
  summary: "See which tools changed since they were looked at, and accept them.",
  parameters: "[diff|accept] [server]",
  notes: [
    "diff      what changed, field by field",
    "accept    the tools as they are now become those that were looked at",
  ],
  words: { least: 0, most: 2 },
  flags: {
    yes: { type: "boolean", short: "y", summary: "accept without being asked; needs --hash" },
    hash: { type: "string", value: "<sha256>", summary: "the tools that were looked at" },
  },
  examples: ["plugboard pins", "plugboard pins diff github", "plugboard pins accept github"],
  run: async (context) => (await import("./review-pins.lazy.ts")).reviewPins(context),
};
