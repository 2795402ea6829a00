import type { Command, Flag } from "../command.ts";
import { usageError } from "../usage-error.ts";
import { SCOPE_FLAG } from "./scope.ts";

const FLAGS: Readonly<Record<"scope" | "dry-run", Flag>> = {
  scope: SCOPE_FLAG,
  "dry-run": { type: "boolean", summary: "show the changes without writing them" },
};

const load = () => import("./edit-entry.lazy.ts");

export const set: Command = {
  name: "set",
  summary: "Change fields of a server's entry in Plugboard's config.",
  parameters: "<server> <field>=<value> …",
  notes: [
    "field=value      a number, true, false or text; env.NAME=value sets one variable; repeat a field for a list",
    "field:=json      any JSON: allowTools:='[\"read_*\"]'",
    "Refer to secrets by name: env.TOKEN=env:NAME, headers.X-Key=keychain:NAME",
  ],
  words: { least: 1, most: Number.POSITIVE_INFINITY },
  flags: {
    ...FLAGS,
    plain: { type: "boolean", summary: "allow a secret in plain text in the config file" },
  },
  examples: ["plugboard set files timeout=60000", "plugboard set files env.TOKEN=env:GITHUB_TOKEN --dry-run"],
  async run(context) {
    const [name = "", ...changes] = context.words;
    if (changes.length === 0 && name.includes("="))
      throw usageError(
        "Missing <server>.",
        "This command changes a server's fields. Settings are in ~/.plugboard/settings.json.",
      );
    if (changes.length === 0)
      throw usageError("Missing <field>=<value>.", `Usage: ${context.program} set ${set.parameters}`);
    return (await load()).setFields(context);
  },
};

export const unset: Command = {
  name: "unset",
  summary: "Remove fields from a server's entry in Plugboard's config.",
  parameters: "<server> <field> …",
  words: { least: 2, most: Number.POSITIVE_INFINITY },
  flags: FLAGS,
  examples: ["plugboard unset files timeout", "plugboard unset files env.TOKEN"],
  run: async (context) => (await load()).unsetFields(context),
};
