import {
  argumentsInCommand,
  codeOf,
  connectTimeout,
  HostError,
  isHostError,
  maskUrl,
  messageOf,
  type Redactor,
  safeLine,
  safeText,
  truncate,
} from "../model/index.ts";
import type { ResolvedServer } from "../values/index.ts";
import { describeUnreachable } from "./http/unreachable.ts";
import { describeProcessEnd, stderrExcerpt, strayOutput } from "./process-end.ts";
import type { StdioChannel } from "./stdio-channel.ts";
import { failureOf, type StatusFailure, type WireFailure } from "./wire/wire-error.ts";

/** The context of a failed connection attempt. */
export interface FailureContext {
  readonly server: ResolvedServer;
  readonly redactor: Redactor;
  readonly stdio?: StdioChannel | undefined;
}

/** Converts every failure to connect to an error for the user. Messages start in lower case, after `Failed to connect to "<name>": `. */
export function toConnectError(cause: unknown, { server, redactor, stdio }: FailureContext): HostError {
  const { name, launch } = server;
  const fail: Fail = (code, message, hint) => {
    const redacted = redactor.redact(message);
    return new HostError(code, `Failed to connect to "${name}": ${redacted}`, { server: name, hint, cause });
  };
  if (isHostError(cause)) {
    // Sign-in errors are complete sentences and have the same text everywhere.
    return isAboutSignIn(cause) ? cause : fail(cause.code, cause.message, cause.hint);
  }
  const failure = failureOf(cause);
  // A short value in a server's message is a coincidence. In a system message it is a resolved value.
  const text = messageOf(cause);
  const reason = firstLine(
    failure?.kind === "refused" ? redactor.redact(text) : redactor.redactForServer(name, text),
  );
  const hint = stdio && (outputClues(stdio, redactor) || undefined);
  if (failure?.kind === "refused")
    return fail("CONNECT_FAILED", `the server returned an error: ${reason}`, hint);
  if (stdio?.endedItself) return fromProcessEnd(stdio, server, redactor, fail);
  if (failure?.kind === "timeout") return connectTimedOut(server, redactor, stdio);
  if (stdio?.fellSilent)
    return fail("CONNECT_FAILED", "the server closed its standard output but kept running", hint);
  const fromRemote =
    "url" in launch && failure !== undefined
      ? fromHttp(maskValues(failure, name, redactor), reason, maskUrl(shownText(launch, launch.url)), fail)
      : undefined;
  return fromRemote ?? fail("CONNECT_FAILED", reason, hint);
}

function isAboutSignIn({ code, reason }: HostError): boolean {
  return reason === "signIn" || code.startsWith("AUTH_");
}

/** Returns a text of a launch with placeholders instead of the resolved values. */
function shownText({ shown }: ResolvedServer["launch"], text: string): string {
  return shown?.get(text) ?? text;
}

export function invalidUrl({ name, launch }: ResolvedServer, url: string): HostError {
  const shown = maskUrl(shownText(launch, url));
  const message = `Failed to connect to "${name}": ${shown} is not a valid URL`;
  return new HostError("CONNECT_FAILED", message, { server: name, hint: `Fix "url" in the server's entry.` });
}

/** Masks values in redirect targets, explanations and system messages, which may repeat a value from the url or a header. */
export function maskValues(failure: WireFailure, server: string, redactor: Redactor): WireFailure {
  if (failure.kind === "unreachable")
    return { ...failure, reason: redactor.redactForServer(server, failure.reason) };
  if (failure.kind !== "status") return failure;
  const { location, explanation } = failure;
  return {
    ...failure,
    ...(location !== undefined && { location: redactor.redactForServer(server, location) }),
    ...(explanation !== undefined && { explanation: safeLine(redactor.redact(explanation)) }),
  };
}

const CHECK_ENDPOINT = "Check that the url is the server's MCP endpoint.";

function fromHttp(failure: WireFailure, reason: string, url: string, fail: Fail): HostError | undefined {
  switch (failure.kind) {
    case "unreachable": {
      const { message, hint } = describeUnreachable(failure.reason, url);
      return fail("CONNECT_UNREACHABLE", message, hint);
    }
    case "notMcp":
      return fail("CONNECT_FAILED", `${url} is not an MCP server: ${reason}`, CHECK_ENDPOINT);
    case "status":
      return fromStatus(failure, url, fail);
    default:
      return undefined;
  }
}

function fromStatus(failure: StatusFailure, url: string, fail: Fail): HostError {
  const { status, location } = failure;
  if (location !== undefined)
    return fail(
      "CONNECT_FAILED",
      `${url} redirects to ${location} (HTTP ${status}), which is not followed`,
      `If you trust that address, set it as "url" in the server's entry.`,
    );
  const hint = statusHint(failure);
  if (status === 401) return fail("AUTH_REQUIRED", `${url} requires you to sign in (HTTP 401)`, hint);
  if (status === 403) return fail("REQUEST_REFUSED", `${url} rejected the credentials (HTTP 403)`, hint);
  return fail("CONNECT_FAILED", `${url} returned HTTP ${status}`, hint);
}

/** Returns the server's explanation of an HTTP error status, and what the user can do about it. */
export function statusHint({ status, retryAfterMs, explanation }: StatusFailure): string {
  const advice = statusAdvice(status, retryAfterMs);
  return explanation === undefined ? advice : `The server's explanation: ${explanation}\n${advice}`;
}

function statusAdvice(status: number, retryAfterMs?: number): string {
  if (status === 401 || status === 403) return "Check your authentication credentials.";
  if (retryAfterMs !== undefined) return `Retry after ${Math.ceil(retryAfterMs / 1000)} s.`;
  if (status === 429) return "The server is rate-limiting requests. Try again later.";
  return status >= 500 ? "The server has an internal problem. Try again later." : CHECK_ENDPOINT;
}

/** Includes what the server printed, because that usually explains a timeout better than the advice to wait longer. */
export function connectTimedOut(server: ResolvedServer, redactor: Redactor, stdio?: StdioChannel): HostError {
  const clues = stdio === undefined ? "" : outputClues(stdio, redactor);
  return connectTimeout(server, undefined, clues);
}

/** Returns what the process printed on standard output and standard error, apart from MCP messages. */
function outputClues(stdio: StdioChannel, redactor: Redactor): string {
  return [strayOutput(stdio, redactor), stderrHint(stdio, redactor) ?? ""].filter(Boolean).join("\n");
}

/** npm reports this if it may not use the network, for example in a sandbox. It looks up every package without a version. */
const NOT_CACHED =
  'npm could not look up the package, because it has no network. Pin the package\'s version in "args" (name@1.2.3), or allow the network: "sandbox": { "network": "full" }.';

type Fail = (code: ConstructorParameters<typeof HostError>[0], message: string, hint?: string) => HostError;

function fromProcessEnd(
  stdio: StdioChannel,
  { name, launch }: ResolvedServer,
  redactor: Redactor,
  fail: Fail,
): HostError {
  const { failure } = stdio.end ?? {};
  if (failure !== undefined) {
    const command = launch.transport === "stdio" ? shownText(launch, launch.command) : "";
    return neverStarted(failure, command, (text) => redactor.redactForServer(name, text), fail);
  }
  const ended = describeProcessEnd(stdio, redactor, " before it responded");
  const stray = strayOutput(stdio, redactor);
  const advice = /\bcode ENOTCACHED\b/.test(stderrExcerpt(stdio, redactor))
    ? [NOT_CACHED]
    : ["Run its command in a terminal to see why.", ...missingVariable(stdio, redactor)];
  return fail("CONNECT_EXITED", `the process ${ended}`, [stray, advice.join(" ")].filter(Boolean).join("\n"));
}

/** The command may work in a terminal, which has the user's whole environment. */
function missingVariable(stdio: StdioChannel, redactor: Redactor): string[] {
  const output = stderrExcerpt(stdio, redactor);
  const names = stdio.withheldIn(output);
  if (names.length > 0) {
    const list = names.map((name) => `"${name}"`).join(", ");
    return [
      `It does not inherit ${names.join(", ")} from your environment: add "inheritEnv": [${list}] to its entry.`,
    ];
  }
  const isAbout =
    /\b(?:env(?:ironment)?|variables?)\b|\b[A-Z][A-Z0-9_]*_(?:KEY|TOKEN|SECRET|PASSWORD|URL|ID|HOME|PATH)\b/;
  return stdio.isRestricted && isAbout.test(output)
    ? [
        `It inherits only a few of your environment variables: set the ones it needs in "env", or list them in "inheritEnv".`,
      ]
    : [];
}

function neverStarted(
  failure: Error,
  command: string,
  clean: (text: string) => string,
  fail: Fail,
): HostError {
  switch (codeOf(failure)) {
    case "ENOENT":
      return fail(
        "CONNECT_COMMAND_NOT_FOUND",
        `command "${command}" was not found`,
        argumentsInCommand(command) ?? `Install "${command}", or set "command" to its full path.`,
      );
    case "EACCES":
      return fail(
        "CONNECT_COMMAND_NOT_FOUND",
        `"${command}" is not executable`,
        'Make it executable (chmod +x), or set "command" to the program that runs it.',
      );
    default:
      return fail("CONNECT_FAILED", `"${command}" could not be started: ${clean(failure.message)}`);
  }
}

function stderrHint(stdio: StdioChannel, redactor: Redactor): string | undefined {
  const last = stderrExcerpt(stdio, redactor);
  return last === "" ? undefined : `Output on standard error:\n${last}`;
}

function firstLine(text: string): string {
  return truncate(safeText(text).split("\n")[0] ?? "", 300);
}
