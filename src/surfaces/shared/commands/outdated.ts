import type { Command } from "../command.ts";

const load = () => import("./update-packages.lazy.ts");

export const outdated: Command = {
  name: "outdated",
  summary: "Find servers whose pinned package has a newer version.",
  parameters: "[server]",
  notes: ["Asks npm's registry or the Python index. Starts nothing, unless --tools is given."],
  words: { least: 0, most: 1 },
  flags: {
    tools: { type: "boolean", summary: "start each newer version once, and show how its tools differ" },
  },
  examples: ["plugboard outdated", "plugboard outdated files --tools"],
  run: async (context) => (await load()).showOutdated(context),
};

export const upgrade: Command = {
  name: "upgrade",
  summary: "Change a server's entry to the newest version of its package.",
  parameters: "<server>",
  notes: ["Shows the change and asks. The entry must be in Plugboard's config."],
  words: { least: 1, most: 1 },
  flags: {
    to: { type: "string", value: "<version>", summary: "use this version instead of the newest" },
    tools: {
      type: "boolean",
      summary: "start the new version once before the change, and show how its tools differ",
    },
    "dry-run": { type: "boolean", summary: "show the change without writing it" },
    yes: { type: "boolean", short: "y", summary: "change the entry without asking" },
  },
  examples: [
    "plugboard upgrade files",
    "plugboard upgrade files --tools",
    "plugboard upgrade files --to 2025.8.21 --yes",
  ],
  run: async (context) => (await load()).upgradePackage(context),
};
