import type { Command } from "../../shared/command.ts";

export const advisories: Command = {
  name: "advisories",
  summary: "Show how old the advisories about malicious packages are, or update them.",
  parameters: "[update]",
  notes: [
    "Packages with an advisory that calls them malicious are not installed and not started.",
    'The address is "advisories" in the settings: a file in OSV format.',
  ],
  words: { least: 0, most: 1 },
  flags: {
    from: { type: "string", value: "<file|url>", summary: "the source of the advisories for this run" },
  },
  examples: ["plugboard advisories", "plugboard advisories update --from advisories.json"],
  run: async (context) => (await import("./show-advisories.lazy.ts")).showAdvisories(context),
};
