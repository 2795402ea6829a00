import { type HostError, isHostError, messageOf, ToolAbortError } from "../../../index.ts";
import { safeText } from "../../../terminal.ts";
import { isOption, quoteIfNeeded, shellWord } from "../shell-word.ts";
import { fitSurface } from "./fit-surface.ts";
import { headerCommand } from "./state.ts";
import type { Style } from "./style.ts";

/** The running command and its prefix: `plugboard`, or `/mcp` in interactive mode. */
export interface RunningCommand {
  readonly verb: string;
  readonly program: string;
}

/** Returns the command to run next, unless it is the one that just failed. */
function commandFor(error: HostError, { verb, program }: RunningCommand): string | undefined {
  const again = program === "plugboard" ? withLongerLimit(error, verb) : undefined;
  if (again !== undefined) return `${program} ${again}`;
  const command = suggestion(error);
  return command === undefined || command.startsWith(`${verb} `) ? undefined : `${program} ${command}`;
}

/** Suggests a longer timeout for one run. Not for interactive mode, where the servers already run. */
function withLongerLimit({ code, server, hint = "" }: HostError, verb: string): string | undefined {
  if (server === undefined || !hint.startsWith("Try increasing the timeout")) return undefined; // the timeout is not the cause
  const name = shellWord(server);
  if (code === "CONNECT_TIMEOUT") return `test ${name} --timeout <ms>`;
  return code === "REQUEST_TIMEOUT" && verb === "call" ? `call ${name} … --timeout <ms>` : undefined;
}

/** Matches errors for local programs and for servers whose entry rules out sign-in. */
const CANNOT_SIGN_IN = /^Server "[\s\S]*" (?:does not sign in with OAuth|is a program)\.$/;

/** Matches the error for a project's server that signs in at a local or private address that its entry does not name. */
const NOT_NAMED = /the authorization server is at (https?:\/\/[^\s,]+), which is not in the approved entry/;

/** Returns whether a profile turns the server off, according to the sentence that says why. `enable` does not change that. */
export function isOffByProfile(sentence: string): boolean {
  return sentence.includes('is disabled by the profile "');
}

/** Returns the tool that an error about arguments names, as a word after the server. */
function pageOf(message: string): string {
  const tool = /^Invalid arguments for "([\s\S]*?)": /.exec(message)?.[1];
  if (tool === undefined || isOption(tool)) return "";
  const word = quoteIfNeeded(tool, "");
  return word === "" ? "" : ` ${word}`;
}

function suggestion({ code, reason, server, account, message, hint = "" }: HostError): string | undefined {
  if (code === "BUNDLE_UNKNOWN") return "bundles";
  if (server === undefined) return undefined;
  const name = shellWord(server);
  if (code === "AUTH_FAILED" && CANNOT_SIGN_IN.test(message)) return `explain ${name}`;
  const origin = code === "AUTH_FAILED" ? NOT_NAMED.exec(message)?.[1] : undefined;
  if (origin !== undefined) {
    const metadata = `${origin}/.well-known/oauth-authorization-server`;
    return `set ${name} oauth.authServerMetadataUrl=${quoteIfNeeded(metadata, "<url>")}`;
  }
  if (code === "INTERACTION_REQUIRED" && reason === "trust") return `trust ${name}`;
  if (code === "INTERACTION_REQUIRED" && reason === "review") return `pins diff ${name}`;
  if (code === "AUTH_REQUIRED") return headerCommand(server, message);
  if (code === "CONFIG_EXISTS") return `set ${name} <field>=<value>`;
  const isSignIn = code === "INTERACTION_REQUIRED" && reason === "signIn";
  if (isSignIn || code === "AUTH_FAILED" || code === "AUTH_TIMEOUT")
    return `login ${name}${account === undefined ? "" : ` --account ${shellWord(account)}`}`;
  if (code === "SERVER_UNKNOWN") return "list";
  if (code === "RESOURCE_UNKNOWN") return `resources ${name}`;
  if (code === "PROMPT_UNKNOWN" || code === "PROMPT_ARGUMENTS_INVALID") return `prompts ${name}`;
  if (code === "SERVER_DISABLED") return isOffByProfile(hint) ? "use --none" : `enable ${name}`;
  if (code === "TOOL_ARGUMENTS_INVALID") return `tools ${name}${pageOf(message)}`;
  if (code === "TOOL_UNKNOWN") return `tools ${name}`;
  if (code === "INSTALL_BROKEN") return `doctor ${name} --fix`;
  return /^CONNECT(ION)?_/.test(code) ? `test ${name}` : undefined;
}

/** Renders an error as text: what failed and what to do. */
export function renderError(error: unknown, style: Style, running: RunningCommand): string {
  if (!isHostError(error)) {
    const more = running.program === "plugboard" ? "Run the command again with --verbose and" : "Please";
    return `${style.bad("✗")} ${safeText(messageOf(error))}\n  This is a bug in Plugboard. ${more} report it.\n`;
  }
  const command = commandFor(error, running);
  // The seeds use a single sentence for this error.
  if (error.code === "SERVER_DISABLED" && command !== undefined) {
    const hint = error.hint === undefined ? "" : `\n  ${safeText(error.hint)}`;
    return `${style.bad("✗")} ${safeText(error.message)} Run ${command} first.${hint}\n`;
  }
  const below = (text: string): string => safeText(text).replaceAll("\n", "\n  ");
  return [
    `${style.bad("✗")} ${below(fitSurface(error.message, running.program))}`,
    ...(error.hint === undefined ? [] : [`  ${below(error.hint)}`]),
    ...(command === undefined ? [] : [`  ${style.dim("→")} ${command}`]),
    "",
  ].join("\n");
}

/** Converts an error to a document for `--json`. */
export function toErrorDocument(error: unknown, running: RunningCommand): object {
  if (error instanceof ToolAbortError) return { error: { code: "CANCELLED", message: error.message } };
  if (!isHostError(error)) return { error: { code: "INTERNAL_BUG", message: messageOf(error) } };
  const { code, message, hint, server, reason } = error;
  const next = commandFor(error, running);
  const advice = [hint, next && `Run: ${next}`].filter(Boolean).join(" ");
  return {
    error: {
      code,
      message: fitSurface(message, running.program),
      ...(advice !== "" && { hint: advice }),
      ...(server !== undefined && { server }),
      ...(reason !== undefined && { reason }),
    },
  };
}
