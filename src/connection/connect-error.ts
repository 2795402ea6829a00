import {
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import {
  codeOf,
  HostError,
  isHostError,
  messageOf,
  type Redactor,
  safeText,
  truncate,
} from "../model/index.ts";
import type { ResolvedServer } from "../values/index.ts";
import type { StdioTransport } from "./stdio-transport.ts";

/** Enough lines for the message above a stack trace. */
const LAST_WORDS = 12;

/** What is known about a failed attempt beside the error itself. */
export interface FailureContext {
  readonly server: ResolvedServer;
  readonly redactor: Redactor;
  readonly stdio?: StdioTransport | undefined;
}

/** The only place that knows what the SDK throws while connecting. Messages start in lower case: they follow `Failed to connect to "<name>": `. */
export function toConnectError(cause: unknown, { server, redactor, stdio }: FailureContext): HostError {
  const { name, launch } = server;
  const fail = (
    code: ConstructorParameters<typeof HostError>[0],
    message: string,
    hint?: string,
  ): HostError =>
    new HostError(code, `Failed to connect to "${name}": ${redactor.redact(message)}`, {
      server: name,
      hint,
      cause,
    });

  if (isHostError(cause)) return fail(cause.code, cause.message, cause.hint);
  if (stdio?.end !== undefined) return fromProcessEnd(stdio, launch, fail);
  if (launch.transport !== "stdio") {
    const status = statusOf(cause);
    if (status === 401 || status === 403) {
      const hint = "Check your authentication credentials.";
      return status === 401
        ? fail("AUTH_REQUIRED", `${launch.url} asks you to sign in (HTTP 401)`, hint)
        : fail("REQUEST_REFUSED", `${launch.url} refuses these credentials (HTTP 403)`, hint);
    }
    if (status !== undefined) {
      return fail(
        "CONNECT_FAILED",
        `${launch.url} answered HTTP ${status}`,
        "Check that the url is the server's MCP endpoint.",
      );
    }
    const network = networkFailure(cause);
    if (network !== undefined) {
      return fail(
        "CONNECT_UNREACHABLE",
        describeNetwork(network, launch.url),
        "Check the url and that the server is running.",
      );
    }
  }
  if (SdkError.isInstance(cause) && cause.code === SdkErrorCode.RequestTimeout) return timedOut(server);
  if (ProtocolError.isInstance(cause))
    return fail("CONNECT_FAILED", `it answered with an error: ${firstLine(cause.message)}`);
  return fail("CONNECT_FAILED", firstLine(messageOf(cause)), stdio && stderrHint(stdio, redactor));
}

export function timedOut({ name, startupTimeoutMs }: ResolvedServer): HostError {
  const message = `Failed to connect to "${name}": it did not answer within ${startupTimeoutMs} ms`;
  return new HostError("CONNECT_TIMEOUT", message, { server: name, hint: "Try increasing the timeout." });
}

type Fail = (code: ConstructorParameters<typeof HostError>[0], message: string, hint?: string) => HostError;

function fromProcessEnd(stdio: StdioTransport, launch: ResolvedServer["launch"], fail: Fail): HostError {
  const { failure, code, signal } = stdio.end ?? {};
  const command = launch.transport === "stdio" ? launch.command : "";
  if (failure !== undefined) {
    const reason = codeOf(failure);
    if (reason === "ENOENT") {
      return fail(
        "CONNECT_COMMAND_NOT_FOUND",
        `command "${command}" was not found`,
        `Install "${command}", or give its full path as "command".`,
      );
    }
    if (reason === "EACCES") {
      return fail(
        "CONNECT_COMMAND_NOT_FOUND",
        `"${command}" is not executable`,
        `Make it executable (chmod +x), or name the program that runs it.`,
      );
    }
    return fail("CONNECT_FAILED", `"${command}" could not be started: ${failure.message}`);
  }
  const how = signal === undefined ? `with code ${code}` : `by ${signal}`;
  const last = safeText(stdio.stderr.lastLines(LAST_WORDS));
  const said = last === "" ? "it said nothing on standard error" : `its last words:\n${truncate(last, 2000)}`;
  return fail(
    "CONNECT_EXITED",
    `the process ended ${how} before it answered; ${said}`,
    "Run its command by hand to see why.",
  );
}

function stderrHint(stdio: StdioTransport, redactor: Redactor): string | undefined {
  const last = safeText(stdio.stderr.lastLines(LAST_WORDS));
  return last === "" ? undefined : `It said on standard error:\n${redactor.redact(truncate(last, 2000))}`;
}

function statusOf(error: unknown): number | undefined {
  if (SdkHttpError.isInstance(error)) return error.status;
  if (UnauthorizedError.isInstance(error)) return 401;
  const { code } = error as { code?: unknown };
  return typeof code === "number" && code >= 400 && code < 600 ? code : undefined;
}

/** `fetch` says "fetch failed" and hides the reason one or two causes deep. */
function networkFailure(error: unknown): string | undefined {
  let fetchFailed = false;
  let reason: string | undefined;
  for (
    let cause: unknown = error, depth = 0;
    cause instanceof Error && depth < 6;
    cause = cause.cause, depth += 1
  ) {
    fetchFailed ||= cause instanceof TypeError && cause.message === "fetch failed";
    reason = codeOf(cause) ?? cause.message;
  }
  return fetchFailed ? reason : undefined;
}

function describeNetwork(reason: string, url: string): string {
  switch (reason) {
    case "ECONNREFUSED":
      return `nobody answers at ${url} (connection refused)`;
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return `the host of ${url} is unknown (${reason})`;
    case "ECONNRESET":
      return `${url} hung up (${reason})`;
    default:
      return `${url} cannot be reached (${reason})`;
  }
}

function firstLine(text: string): string {
  return truncate(safeText(text).split("\n")[0] ?? "", 300);
}
