import type { Command } from "../../shared/command.ts";

export const people: Command = {
  name: "people",
  summary: "List, change and delete the people of a team's gateway.",
  parameters: "list | add | role | disable | enable | delete | administrator",
  notes: [
    "list                  show all people; with a word, those whose name contains it",
    "add <name>            add a person who uses tokens instead of an identity provider",
    "role <name> <role>    make a person an administrator, an auditor, or a person without a role",
    "disable, enable       refuse a person's requests, or accept them again; gateways do so within two seconds",
    "delete <name> --yes   delete a person with all tokens, sign-ins, secrets and approvals",
    "administrator         print a link on which one person can become an administrator, within an hour",
  ],
  words: { least: 1, most: 3 },
  flags: {
    config: { type: "string", value: "<file>", summary: "the config file of the gateway" },
    yes: { type: "boolean", summary: "with delete: confirm the deletion" },
  },
  examples: [
    "plugboard people list --config gateway.jsonc",
    "plugboard people role ada administrator --config gateway.jsonc",
    "plugboard people delete grace --yes --config gateway.jsonc",
  ],
  run: async (context) => (await import("./people.lazy.ts")).people(context),
};
