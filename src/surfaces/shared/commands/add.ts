import type { WrittenServer } from "../../../index.ts";
import { safeLine } from "../../../terminal.ts";
import { readAddRequest } from "../add/add-request.ts";
import type { Command, CommandContext } from "../command.ts";
import { displayContextOf } from "../display-context.ts";
import { renderPlace } from "../render/place.ts";
import { renderTest } from "../render/test-report.ts";
import { SIGN_IN_FLAGS, signIn } from "../sign-in.ts";
import { usageError } from "../usage-error.ts";
import { readScope, SCOPE_FLAG } from "./scope.ts";

export const add: Command = {
  name: "add",
  summary: "Add a server to Plugboard's config. Adding a server also approves it.",
  parameters: "<name> [--url <url> | -- <command…>]",
  notes: [
    "For a well-known server, the name is enough: plugboard add filesystem .",
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
    timeout: { type: "string", value: "<ms>", summary: "timeout for connecting and for each request" },
    name: { type: "string", value: "<name>", summary: "a different name for a well-known server" },
    oauth: { type: "boolean", summary: "the server requires sign-in; on a terminal, sign in now" },
    ...SIGN_IN_FLAGS,
    plain: { type: "boolean", summary: "allow a secret in plain text in the config file" },
    test: { type: "boolean", summary: "connect after adding the server" },
  },
  examples: [
    "plugboard add files -- npx -y @modelcontextprotocol/server-filesystem .",
    "plugboard add filesystem . --scope user",
    "plugboard add issues --url https://mcp.example.com/mcp --token env:ISSUES_TOKEN",
  ],
  async run(context) {
    const { flags, json, printJson, terminal, style, program } = context;
    const request = readAddRequest(context);
    const { name } = request;
    const host = await context.openHost();
    const wrong = host.config.checkName(name);
    if (wrong !== undefined) throw usageError(`Invalid server config: ${wrong}`);
    const written = await host.config.add({ ...request, scope: readScope(flags["scope"]) ?? "project" });
    if (!json) printAdded(context, written, request.needs);
    // Without a terminal the user cannot sign in, unless --no-browser says that the URL will be pasted.
    const signsIn = flags["oauth"] === true && (terminal.errIsTty() || flags["no-browser"] === true);
    if (signsIn) await signIn(host, name, context);
    const report = flags["test"] === true || signsIn ? await host.doctor.test(name) : undefined;
    if (json) printJson({ ...written, ...(report && { test: report }) });
    else if (report === undefined) {
      const next = flags["oauth"] === true ? "login" : "test";
      terminal.err(`  ${style.dim("→")} ${program} ${next} ${name}\n`);
    } else terminal.out(renderTest(report, style));
    return 0;
  },
};

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
