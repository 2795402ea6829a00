import type { HostError, JsonObject, JsonValue } from "../../../index.ts";
import { nearest } from "../../../terminal.ts";
import type { CommandContext } from "../command.ts";
import { readSandbox } from "../sandbox-choice.ts";
import { quoteIfNeeded } from "../shell-word.ts";
import { usageError } from "../usage-error.ts";
import { KNOWN_SERVERS } from "./known-servers.ts";
import { holdsLiteralSecret, isLiteralSecret } from "./literal-secret.ts";

export interface AddWords {
  readonly name: string;
  readonly server: JsonObject;
  /** Environment variables that the server requires. */
  readonly needs: readonly string[];
}

/** Builds the entry to add from the words, the flags and the command after `--`. */
export function readAddRequest({
  words,
  flags,
  rest,
  program,
}: Pick<CommandContext, "words" | "flags" | "rest" | "program">): AddWords {
  const [first, ...more] = words;
  if (first === undefined) {
    throw usageError(
      `Server name required for quick add. Usage: ${program} add <name> ...`,
      "After the name: --url <url>, or -- <command…>",
    );
  }
  const url = text(flags["url"]);
  const command = text(flags["command"]);
  const line = command === undefined ? rest : [command, ...list(flags["args"]), ...rest];
  if (url !== undefined && line.length > 0)
    throw usageError("Use either --url or -- <command...>, not both.");
  checkFlags(flags);
  const name = text(flags["name"]) ?? first;
  const extras = sharedFields(flags);
  if (url !== undefined) {
    rejectExtraWords(more);
    return { name, needs: [], server: { ...remote(url, flags), ...extras } };
  }
  if (line.length > 0) {
    rejectExtraWords(more);
    return { name, needs: [], server: { ...local(line, flags), ...extras } };
  }
  return fromTemplate(first, { name, args: more, flags, extras, program });
}

type Flags = CommandContext["flags"];

/** Throws if a flag does not apply to the transport and would be ignored. */
function checkFlags(flags: Flags): void {
  const isRemote = flags["url"] !== undefined;
  for (const flag of ["token", "header", "transport", "oauth"]) {
    if (flags[flag] !== undefined && !isRemote)
      throw usageError(`--${flag} requires --url (HTTP/SSE transport).`);
  }
  for (const flag of ["env", "cwd", "sandbox"]) {
    if (flags[flag] !== undefined && isRemote)
      throw usageError(`--${flag} requires a command, not --url (stdio transport).`);
  }
  if (flags["args"] !== undefined && flags["command"] === undefined)
    throw usageError("--args requires --command.", "Or write the whole command after --.");
}

/** Returns the fields that flags add to an entry from elsewhere. Throws if a flag does not apply to it. */
export function readExtraFields(flags: Flags, isRemote: boolean): JsonObject {
  if (flags["transport"] !== undefined) throw usageError("--transport requires --url (HTTP/SSE transport).");
  if (flags["args"] !== undefined) throw usageError("--args requires --command.");
  for (const flag of isRemote ? ["env", "cwd", "sandbox"] : ["token", "header", "oauth"])
    if (flags[flag] !== undefined)
      throw usageError(`--${flag} requires a ${isRemote ? "local" : "remote"} server.`);
  const [env, headers] = [environment(flags), headersFrom(flags)];
  return {
    ...(Object.keys(env).length > 0 && { env }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...sharedFields(flags),
  };
}

function fromTemplate(
  word: string,
  {
    name,
    args,
    flags,
    extras,
    program,
  }: {
    readonly name: string;
    readonly args: readonly string[];
    readonly flags: Flags;
    readonly extras: JsonObject;
    readonly program: string;
  },
): AddWords {
  const key = word.replaceAll("_", "-");
  const known = Object.hasOwn(KNOWN_SERVERS, key) ? KNOWN_SERVERS[key] : undefined;
  if (known === undefined) {
    const close = nearest(word, Object.keys(KNOWN_SERVERS));
    const hint =
      close === undefined
        ? `Specify a command (-- <command…>) or a URL (--url <url>), or find it in the registry: ${program} search ${quoteIfNeeded(word, "<words>")}\nWell-known servers: ${Object.keys(KNOWN_SERVERS).join(", ")}.`
        : `Did you mean the well-known server "${close}"? Otherwise specify -- <command…> or --url <url>.`;
    throw usageError(`Unknown server "${word}".`, hint);
  }
  if (args.length > 0 && known.takes === undefined) rejectExtraWords(args);
  checkWords(args, flags, "An argument");
  const given = known.server["args"];
  const env = { ...(known.server["env"] as JsonObject | undefined), ...environment(flags) };
  const server = {
    ...known.server,
    args: [...(Array.isArray(given) ? (given as readonly JsonValue[]) : []), ...args],
    ...(Object.keys(env).length > 0 && { env }),
    ...extras,
  };
  return { name, server, needs: known.needs ?? [] };
}

function local([command = "", ...args]: readonly string[], flags: Flags): JsonObject {
  const env = environment(flags);
  checkWords([command, ...args], flags, "An argument");
  return { type: "stdio", command, args, ...(Object.keys(env).length > 0 && { env }) };
}

function remote(url: string, flags: Flags): JsonObject {
  const transport = text(flags["transport"]) ?? (/\/sse\/?$/.test(url) ? "sse" : "http");
  if (transport !== "http" && transport !== "sse")
    throw usageError("Invalid --transport value. Use http or sse.");
  checkWords([url], flags, "--url");
  const headers = headersFrom(flags);
  return {
    type: transport,
    url: /^[a-z][a-z0-9+.-]*:\/\//i.test(url) ? url : `https://${url}`,
    ...(Object.keys(headers).length > 0 && { headers }),
  };
}

function headersFrom(flags: Flags): Record<string, string> {
  const token = text(flags["token"]);
  return {
    ...(token !== undefined && {
      Authorization: `Bearer ${inside(reference("Authorization", token, flags, "--token"))}`,
    }),
    ...pairs(flags["header"], flags, "--header"),
  };
}

function sharedFields(flags: Flags): JsonObject {
  const timeout = text(flags["timeout"]);
  const cwd = text(flags["cwd"]);
  if (timeout !== undefined && !/^[1-9]\d*$/.test(timeout))
    throw usageError("--timeout must be a number of milliseconds.");
  const sandbox = readSandbox(flags["sandbox"]);
  return {
    ...(cwd !== undefined && { cwd }),
    ...(sandbox !== undefined && { sandbox }),
    ...(timeout !== undefined && { timeout: Number(timeout) }),
    ...(flags["oauth"] === true && { oauth: true }),
  };
}

function environment(flags: Flags): Record<string, string> {
  return pairs(flags["env"], flags, "--env");
}

/** Returns a reference for use inside a longer value. A stored secret becomes a placeholder. */
function inside(value: string): string {
  if (/^(?:!|file:)/.test(value))
    throw usageError(
      "--token does not accept a command or a file.",
      "Write --header 'Authorization=!command' instead.",
    );
  return value.startsWith("keychain:") ? `\${${value}}` : value;
}

/** Parses `KEY=value`, `KEY=env:NAME` and `KEY=keychain:NAME`. */
function pairs(value: Flags[string], flags: Flags, flag: string): Record<string, string> {
  return Object.fromEntries(
    list(value).map((pair) => {
      const [, key = "", given = ""] = /^([^=]+)=([\s\S]*)$/.exec(pair) ?? [];
      if (key === "") throw usageError(`${flag} must be NAME=value, not "${pair}".`);
      return [key, reference(key, given, flags, `${flag} ${key}`)];
    }),
  );
}

/** Converts `env:NAME` to `${NAME}` and keeps `keychain:NAME`. Throws on a literal secret unless `--plain` is set. */
export function reference(key: string, given: string, flags: Flags, flag: string): string {
  if (given.startsWith("env:")) {
    const [, name] = /^env:([A-Za-z_]\w*)$/.exec(given) ?? [];
    if (name === undefined) throw usageError(`${flag} requires a variable name after "env:".`);
    return `\${${name}}`;
  }
  if (given.startsWith("keychain:")) {
    if (!/^keychain:[A-Za-z0-9_][\w.@/+-]*$/.test(given))
      throw usageError(`${flag} requires a secret name after "keychain:".`);
    return given;
  }
  if (/^(?:!|file:)/.test(given)) return given;
  if (flags["plain"] !== true && isLiteralSecret(key, given)) {
    const better = flag === "--token" ? "--token env:NAME" : `${flag}=env:NAME`;
    throw literalSecret(flag, `write ${better}`);
  }
  return given;
}

export function checkWords(words: readonly string[], flags: Flags, what: string): void {
  if (flags["plain"] !== true && holdsLiteralSecret(words))
    throw literalSecret(what, "write '${NAME}' in its place");
}

function literalSecret(what: string, better: string): HostError {
  return usageError(
    `${what} looks like a secret. It would be stored in a file and in your shell history.`,
    `Put it in a variable and ${better}, or add --plain to store it in plain text.`,
  );
}

function rejectExtraWords(words: readonly string[]): void {
  if (words.length > 0)
    throw usageError(`Unexpected argument: ${words.join(" ")}`, "Put the server's command after --.");
}

function text(value: Flags[string]): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function list(value: Flags[string]): readonly string[] {
  return Array.isArray(value) ? value : [];
}
