import { HostError, isHostError, type JsonObject, type ServerOptions } from "../../index.ts";
import { readAddRequest } from "./add/add-request.ts";
import type { CommandContext, ExitCode, FlagValue } from "./command.ts";
import { quoteIfNeeded } from "./shell-word.ts";
import { usageError } from "./usage-error.ts";

/** The name of a server that is typed for one run. */
const TYPED = "typed";

/**
 * Runs a command with the server that `--url` or the words after `--` describe. The server belongs to this run: it is approved because
 * the user typed it, and it is written to a config file only with `--save`.
 */
export async function runWithTypedServer(
  run: (context: CommandContext) => Promise<ExitCode>,
  context: CommandContext,
): Promise<ExitCode> {
  const { flags, rest, program, words, openHost } = context;
  if (program !== "plugboard")
    throw usageError("Interactive mode runs configured servers only.", "Add it first.");
  const save = typeof flags["save"] === "string" ? flags["save"] : undefined;
  const name = save ?? TYPED;
  const { timeout: _, ...own } = flags; // for this command, not for the entry
  // Without --save no file is written, so that a literal secret is not stored either.
  const { server } = readAddRequest({
    words: [name],
    flags: save === undefined ? { ...own, plain: true } : own,
    rest,
    program,
  });
  const host = async (options: Parameters<typeof openHost>[0] = {}) =>
    openHost({ ...options, servers: { ...options.servers, [name]: toOptions(server) } });
  if (save !== undefined) await checkSave(context, save);
  const url = flags["url"];
  const typed = typeof url === "string" ? ["--url", url] : ["--", ...rest];
  const code = await run({
    ...context,
    words: [name, ...words],
    typed: typed.map((word) => quoteIfNeeded(word, "…")).join(" "),
    openHost: host,
  }).catch((error: unknown) => {
    throw save === undefined && isHostError(error) ? withoutServer(error, url) : error;
  });
  if (save === undefined || code !== 0) return code;
  const written = await (await openHost()).config.add({ name, server, scope: "project" });
  context.terminal.err(`Saved as "${written.name}" in ${written.scope} config.\n`);
  return code;
}

/** A command with the name of a typed server cannot be run again, so the error suggests none. Only servers with a name sign in. */
function withoutServer(
  { code, message, hint, reason, rpcCode, cause }: HostError,
  url: FlagValue,
): HostError {
  const signIn =
    reason === "signIn" && typeof url === "string"
      ? `Add the server to sign in: plugboard add <name> --url ${quoteIfNeeded(url, "<url>")} --oauth`
      : undefined;
  const token =
    code === "AUTH_REQUIRED" && typeof url === "string"
      ? "To send a token, add --token env:<NAME>."
      : undefined;
  const advice = [hint, token].filter((text) => text !== undefined).join("\n") || undefined;
  return new HostError(code, message, { hint: signIn ?? advice, reason, rpcCode, cause });
}

/** Refuses a name that cannot be saved before anything is run. */
async function checkSave({ openHost }: CommandContext, name: string): Promise<void> {
  const host = await openHost({ quiet: true });
  const wrong = host.config.checkName(name);
  if (wrong !== undefined) throw usageError(`Invalid --save value: ${wrong}.`);
  if (host.servers().some((server) => server.name === name))
    throw usageError(`Server "${name}" already exists.`, "Choose another name for --save.");
}

/** An entry that `add` would write has the fields of a program's own server. */
function toOptions(entry: JsonObject): ServerOptions {
  const { command, url } = entry;
  if (typeof url === "string") return { ...entry, url };
  if (typeof command === "string") return { ...entry, command };
  throw usageError("Missing --url <url> or -- <command…>.");
}
