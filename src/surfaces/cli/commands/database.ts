import type { Command } from "../../shared/command.ts";

export const database: Command = {
  name: "database",
  summary: "Copy your own data to a team's database, or delete the data of a lost key.",
  parameters: "import <person> | forget-key <id>",
  notes: [
    "import      copy your sign-ins, secrets, approvals and reviewed tools to a person of the team",
    "forget-key  delete the values that a lost key protects, so that gateways can start again; without --yes, only count them",
    "The database and its keys are those of the gateway's config file, or of PLUGBOARD_GATEWAY_DATABASE_URL.",
  ],
  words: { least: 2, most: 2 },
  flags: {
    config: { type: "string", value: "<file>", summary: "the config file of the gateway" },
    yes: { type: "boolean", summary: "with forget-key: delete the values" },
  },
  examples: [
    "plugboard database import ada --config gateway.jsonc",
    "plugboard database forget-key 2026-11 --yes --config gateway.jsonc",
  ],
  run: async (context) => (await import("./team-database.lazy.ts")).changeDatabase(context),
};
