import { type Host, HostError } from "../../../index.ts";
import { nearest, safeLine } from "../../../terminal.ts";
import type { Command, CommandContext, ExitCode } from "../command.ts";
import { usageError } from "../usage-error.ts";

const usage = (program: string): string =>
  `Usage: ${program} secret set <name> | get <name> | list | rm <name>`;

export const secret: Command = {
  name: "secret",
  summary: "Store secrets in the vault. Config files refer to them as keychain:<name>.",
  parameters: "set <name> | get <name> | list | rm <name>",
  notes: ["Type the secret at a hidden prompt, or send it on standard input. It is never an argument."],
  words: { least: 0, most: Number.POSITIVE_INFINITY },
  flags: { show: { type: "boolean", summary: "with get: print the secret even on a terminal" } },
  examples: [
    "plugboard secret set github",
    "pass show github | plugboard secret set github",
    "plugboard add github --url https://mcp.example.com/mcp --token keychain:github",
  ],
  async run(context) {
    const [verb = "", name, ...more] = context.words;
    const form = usage(context.program);
    // An extra argument may be the secret itself, so the message does not repeat it.
    if (more.length > 0 && verb === "set")
      throw usageError("Do not pass the secret as an argument: it would stay in your shell history.", form);
    if (more.length > 0) throw usageError("Too many arguments.", form);
    if (verb === "list" && name === undefined) return list(context);
    const action = Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined;
    if (action === undefined) throw usageError("Specify an action and a secret name.", form);
    if (name === undefined) throw usageError("Missing <name>.", form);
    return action(name, context, await context.openHost());
  },
};

type Verb = (name: string, context: CommandContext, host: Host) => Promise<ExitCode>;

const VERBS: Readonly<Record<string, Verb>> = { set, get, rm: remove };

async function set(
  name: string,
  { json, printJson, terminal, style, signal }: CommandContext,
  host: Host,
): Promise<ExitCode> {
  const text = await terminal.readHidden(`Secret for "${safeLine(name)}" (not shown): `, signal);
  if (text === undefined || text === "")
    throw usageError("No secret was provided.", "Type the secret, or send it on standard input.");
  await host.secrets.store(name, text);
  if (json) printJson({ name });
  else {
    terminal.out(`${style.good("✓")} Stored "${safeLine(name)}".\n`);
    terminal.err(`  Use keychain:${safeLine(name)} as the value of an environment variable or a header.\n`);
  }
  return 0;
}

async function get(
  name: string,
  { flags, json, printJson, terminal, program }: CommandContext,
  host: Host,
): Promise<ExitCode> {
  const value = await host.secrets.read(name);
  if (value === undefined) throw await unknown(name, host, program);
  const showsValue = flags["show"] === true || !terminal.outIsTty;
  if (json) printJson({ name, ...(showsValue && { value }) });
  else if (showsValue) terminal.out(`${value}\n`);
  else terminal.out(`"${safeLine(name)}" is stored. To print it, add --show.\n`);
  return 0;
}

async function remove(
  name: string,
  { json, printJson, terminal, program }: CommandContext,
  host: Host,
): Promise<ExitCode> {
  if (!(await host.secrets.remove(name))) throw await unknown(name, host, program);
  if (json) printJson({ name });
  else terminal.out(`Removed "${safeLine(name)}".\n`);
  return 0;
}

/** A damaged entry has no name to list, so it is reported instead. */
async function list({ json, printJson, terminal, style, openHost }: CommandContext): Promise<ExitCode> {
  const host = await openHost();
  const names = await host.secrets.list();
  const problems = (await host.doctor.checkVault()).filter(({ severity }) => severity === "error");
  const isUsable = problems.length === 0;
  if (json) printJson({ secrets: names.map((name) => ({ name })), ...(!isUsable && { problems }) });
  else {
    if (names.length > 0) terminal.out(`${names.map(safeLine).join("\n")}\n`);
    else if (isUsable) terminal.out("No secrets are stored.\n");
    for (const { message } of problems) terminal.err(`${style.bad("✗")} ${safeLine(message)}\n`);
  }
  return isUsable ? 0 : 1;
}

async function unknown(name: string, host: Host, program: string): Promise<HostError> {
  const close = nearest(name, await host.secrets.list());
  const hint = close === undefined ? `See ${program} secret list.` : `Did you mean "${close}"?`;
  return new HostError("VALUE_UNRESOLVED", `Secret "${name}" not found.`, { hint });
}
