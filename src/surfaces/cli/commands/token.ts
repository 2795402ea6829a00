import type { Command } from "../../shared/command.ts";

export const token: Command = {
  name: "token",
  summary: "Create, list and revoke tokens for a team's gateway.",
  parameters: "create | list | revoke <id or name>",
  notes: [
    "create   print a new token. It is shown only now, and only its hash is kept",
    "list     show all tokens and what they are for",
    "revoke   refuse a token from now on; a running gateway does so within two seconds",
    "A token has the rights of its person, or fewer with --server, --bundle and --read-only.",
  ],
  words: { least: 1, most: 2 },
  flags: {
    config: { type: "string", value: "<file>", summary: "the config file of the gateway" },
    person: {
      type: "string",
      value: "<name>",
      summary: "the person that the token is for; a new name creates a person",
    },
    name: { type: "string", value: "<name>", summary: "the token's name" },
    expires: { type: "string", value: "<time>", summary: "how long it is valid: 12h, 90d; at most 365d" },
    server: { type: "list", value: "<names>", summary: "only these servers, separated by commas" },
    bundle: { type: "list", value: "<ids>", summary: "only the tools in these bundles" },
    "read-only": { type: "boolean", summary: "only tools that trusted servers declare as read-only" },
  },
  examples: [
    "plugboard token create --config gateway.jsonc --person ada --name laptop --expires 90d",
    "plugboard token list --config gateway.jsonc",
    "plugboard token revoke laptop --person ada --config gateway.jsonc",
  ],
  run: async (context) => (await import("./token.lazy.ts")).token(context),
};
