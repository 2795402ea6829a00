import type { Host, ImportRequest, ImportResult } from "../../../index.ts";
import { safeLine } from "../../../terminal.ts";
import type { Command, CommandContext } from "../command.ts";
import { displayContextOf } from "../display-context.ts";
import { renderPlace } from "../render/place.ts";
import { shellWord } from "../shell-word.ts";
import { usageError } from "../usage-error.ts";
import { readScope, SCOPE_FLAG } from "./scope.ts";
import { requiresApproval } from "./trust.ts";

export const importServers: Command = {
  name: "import",
  summary: "Copy another tool's servers into Plugboard's config.",
  parameters: "<tool> [server …]",
  words: { least: 1, most: Number.POSITIVE_INFINITY },
  notes: [
    "Servers with secrets in plain text are copied only if you agree to move the secrets to the vault (--vault), or with --plain.",
  ],
  flags: {
    scope: SCOPE_FLAG,
    vault: { type: "boolean", summary: "move secrets in plain text to the vault without asking" },
    plain: { type: "boolean", summary: "copy secrets in plain text as they are" },
  },
  examples: ["plugboard import cursor", "plugboard import claude-code github linear --scope user"],
  async run(context) {
    const [tool = "", ...names] = context.words;
    const { terminal, style } = context;
    const host = await context.openHost();
    const scope = readScope(context.flags["scope"]) ?? "user";
    const request = { tool, scope, ...(names.length > 0 && { names }) };
    const { written, skipped } = await importAll(context, host, request);
    if (context.json) context.printJson({ written, skipped });
    else {
      for (const { name, file, secrets = [], variables = [], sandbox } of written) {
        const place = renderPlace({ file }, displayContextOf(context));
        terminal.out(`${style.good("+")} Added server "${safeLine(name)}" to ${scope} config (${place})\n`);
        if (sandbox !== undefined) terminal.out("  Keeps the sandbox that you chose\n");
        for (const secret of secrets)
          terminal.out(`  Moved a secret to the vault: keychain:${safeLine(secret)}\n`);
        for (const variable of variables) terminal.out(`  Reads $${safeLine(variable)}: set it before use\n`);
      }
      const known = new Set(host.servers().map((server) => server.name));
      for (const { name, reason, secrets } of skipped) {
        terminal.err(`${style.warn("!")} ${safeLine(name)}: ${safeLine(reason)}\n`);
        if (known.has(name) && requiresApproval(host, name))
          terminal.err(`  ${style.dim("→")} ${context.program} trust ${shellWord(name)}\n`);
        if (secrets !== undefined) terminal.err(`  ${adviceOn(secrets)}\n`);
      }
    }
    if (skipped.some(({ secrets }) => secrets !== undefined)) return 3; // the user has to choose what to do with the secrets
    return written.length > 0 || skipped.length === 0 ? 0 : 1;
  },
};

/** On a terminal, offers to move secrets in plain text to the vault, then copies those servers too. */
async function importAll(
  { flags, json, terminal }: CommandContext,
  host: Host,
  request: ImportRequest,
): Promise<ImportResult> {
  if (flags["vault"] === true && flags["plain"] === true)
    throw usageError("Use either --vault or --plain, not both.");
  const secrets = flags["plain"] === true ? "plain" : flags["vault"] === true ? "vault" : "refuse";
  const first = await host.config.importFrom({ ...request, secrets });
  const movable = first.skipped.filter((server) => server.secrets?.movable === true);
  if (secrets !== "refuse" || movable.length === 0 || json) return first;
  const lines = movable.map(
    ({ name, secrets: held }) => `  ${safeLine(name)}: ${safeLine(held?.fields.join(", ") ?? "")}\n`,
  );
  const question = `These servers contain secrets in plain text:\n${lines.join("")}Move the secrets to the vault and import the servers?`;
  if ((await terminal.confirm(question)) !== true) return first;
  const names = movable.map(({ name }) => name);
  const second = await host.config.importFrom({ ...request, names, secrets: "vault" });
  const rest = first.skipped.filter(({ name }) => !names.includes(name));
  return { written: [...first.written, ...second.written], skipped: [...rest, ...second.skipped] };
}

function adviceOn({ movable }: NonNullable<ImportResult["skipped"][number]["secrets"]>): string {
  return movable
    ? "Move it to the vault with --vault, or copy it as it is with --plain."
    : "Put a variable in its place (${NAME}) in the other tool's file first, or copy it as it is with --plain.";
}
