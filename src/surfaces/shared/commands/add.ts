import {
  type AddRequest,
  type Host,
  isHostError,
  type Provenance,
  type WrittenServer,
} from "../../../index.ts";
import { safeLine } from "../../../terminal.ts";
import { type AddWords, readAddRequest } from "../add/add-request.ts";
import { readAddSource } from "../add/add-source.ts";
import type { Command, CommandContext } from "../command.ts";
import { displayContextOf } from "../display-context.ts";
import { renderPlace } from "../render/place.ts";
import { renderTest } from "../render/test-report.ts";
import { SANDBOX_FLAG } from "../sandbox-choice.ts";
import { shellWord } from "../shell-word.ts";
import { SIGN_IN_FLAGS, signIn } from "../sign-in.ts";
import { usageError } from "../usage-error.ts";
import { readScope, SCOPE_FLAG } from "./scope.ts";

export const add: Command = {
  name: "add",
  summary: "Add a server to Plugboard's config. Adding a server also approves it.",
  parameters: "<name> [--url <url> | -- <command…>]",
  notes: [
    "For a well-known server, the name is enough: plugboard add filesystem .",
    "Also accepts a name of the MCP registry (see plugboard search), a website with a server card, an .mcpb file, and an install link of VS Code or Cursor.",
    "Refer to secrets by name: --token env:NAME, --env KEY=keychain:NAME",
  ],
  words: { least: 0, most: Number.POSITIVE_INFINITY },
  takesRest: true,
  flags: {
    scope: SCOPE_FLAG,
    url: { type: "string", value: "<url>", summary: "URL of a remote server" },
    transport: { type: "string", value: "http|sse", summary: "transport of the remote server" },
    token: { type: "string", value: "env:NAME|keychain:NAME", summary: "bearer token" },
    header: { type: "list", value: "K=V", summary: "HTTP header to send; repeatable" },
    env: { type: "list", value: "K=V", summary: "environment variable for the server; repeatable" },
    command: { type: "string", value: "<program>", summary: "program to run, instead of -- <command…>" },
    args: { type: "list", value: "<word>", summary: "argument for the program; repeatable" },
    cwd: { type: "string", value: "<folder>", summary: "working folder of the server" },
    sandbox: SANDBOX_FLAG,
    timeout: { type: "string", value: "<ms>", summary: "timeout for connecting and for each request" },
    name: {
      type: "string",
      value: "<name>",
      summary: "a different name for a server that already has one",
    },
    via: {
      type: "string",
      value: "npm|pypi|oci|nuget|remote",
      summary: "for a registry name: how to run or reach the server",
    },
    yes: {
      type: "boolean",
      short: "y",
      summary: "add a server from the registry, a website, a link or a file without asking",
    },
    oauth: { type: "boolean", summary: "the server requires sign-in; on a terminal, sign in now" },
    ...SIGN_IN_FLAGS,
    plain: { type: "boolean", summary: "allow a secret in plain text in the config file" },
    test: { type: "boolean", summary: "connect after adding the server" },
  },
  examples: [
    "plugboard add files -- npx -y @modelcontextprotocol/server-filesystem .",
    "plugboard add filesystem . --scope user",
    "plugboard add io.github.acme/weather",
    "plugboard add example.com",
    "plugboard add ./weather.mcpb",
    "plugboard add issues --url https://mcp.example.com/mcp --token env:ISSUES_TOKEN",
  ],
  async run(context) {
    const { flags, json, printJson, terminal, style, program } = context;
    const host = await context.openHost();
    const request = await readRequest(context, host);
    const { name } = request;
    const wrong = host.config.checkName(name);
    if (wrong !== undefined) throw usageError(`Invalid server config: ${wrong}`);
    const wanted = { ...request, scope: readScope(flags["scope"]) ?? "project" } as const;
    const written = await addOrChange(context, host, wanted);
    const precedence = precedenceOf(host, written);
    if (!json) printPrecedence(context, precedence);
    // Without a terminal the user cannot sign in, unless --no-browser says that the URL will be pasted.
    const signsIn = flags["oauth"] === true && (terminal.errIsTty() || flags["no-browser"] === true);
    if (signsIn) await signIn(host, name, context);
    const report = flags["test"] === true || signsIn ? await host.doctor.test(name) : undefined;
    if (json) printJson({ ...written, ...precedence, ...(report && { test: report }) });
    else if (report === undefined) {
      const next = flags["oauth"] === true ? "login" : "test";
      terminal.err(`  ${style.dim("→")} ${program} ${next} ${shellWord(name)}\n`);
    } else terminal.out(renderTest(report, style));
    return 0;
  },
};

/** Reads the entry from the words and flags, or from the registry, website, file or link that the first word names. */
export async function readRequest(context: CommandContext, host: Host): Promise<AddWords> {
  const { words, flags, rest } = context;
  const [word = ""] = words;
  const isDescribed = flags["url"] !== undefined || flags["command"] !== undefined || rest.length > 0;
  const source = isDescribed || words.length > 1 ? undefined : readAddSource(word);
  if (source === undefined) return readAddRequest(context);
  return (await import("../add/add-from-source.lazy.ts")).readFromSource(context, host, source);
}

/** Adds the server. On a terminal, offers to change an entry that already has the name. */
async function addOrChange(
  context: CommandContext,
  host: Host,
  request: AddRequest & { readonly needs: readonly string[] },
): Promise<WrittenServer> {
  const { json, terminal, program } = context;
  try {
    const written = await host.config.add(request);
    if (!json) printAdded(context, written, request.needs);
    return written;
  } catch (error) {
    const canAsk = !json && terminal.errIsTty() && terminal.canAnswer() && program === "plugboard";
    if (!canAsk || !isHostError(error, "CONFIG_EXISTS")) throw error;
    const { offerChange } = await import("../add/offer-change.lazy.ts");
    return offerChange(context, host, request, error);
  }
}

/** Prints where the server was added, and which variables it requires. */
export function printAdded(
  context: Pick<CommandContext, "terminal" | "style" | "flags" | "program">,
  { name, scope, file }: WrittenServer,
  needs: readonly string[],
): void {
  const { terminal, style } = context;
  const place = renderPlace({ file }, displayContextOf(context));
  terminal.out(`${style.good("+")} Added server "${safeLine(name)}" to ${scope} config (${place})\n`);
  for (const variable of needs) terminal.err(`  Requires the environment variable ${variable}.\n`);
}

/** The other entries with this name: those that the new one replaces, or the one that is used instead of it. */
interface Precedence {
  readonly shadows?: readonly Provenance[];
  readonly shadowedBy?: Provenance;
}

function precedenceOf(host: Host, { name, file }: WrittenServer): Precedence {
  const server = host.servers().find((each) => each.name === name);
  if (server === undefined) return {};
  if (server.source.file !== file) return { shadowedBy: server.source };
  return server.shadows.length === 0 ? {} : { shadows: server.shadows };
}

function printPrecedence(context: CommandContext, { shadows = [], shadowedBy }: Precedence): void {
  const { terminal, style } = context;
  const place = (source: Provenance): string => renderPlace(source, displayContextOf(context));
  if (shadows.length > 0) terminal.err(`  Used instead of the entry in ${shadows.map(place).join(", ")}.\n`);
  if (shadowedBy !== undefined)
    terminal.err(`  ${style.warn("!")} Not used: the entry in ${place(shadowedBy)} takes precedence.\n`);
}
