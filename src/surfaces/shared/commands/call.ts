import type {
  CallPreview,
  CallRequest,
  Host,
  JsonObject,
  ToolDefinition,
  ToolResult,
} from "../../../index.ts";
import { safeLine, safeText } from "../../../terminal.ts";
import type { AskFields, Command, CommandContext, ExitCode } from "../command.ts";
import { parseCallArguments, parseWholeInput, withFormAnswers } from "../input/call-arguments.ts";
import { answerServers, printImages, printResult, showProgress } from "../output/call-output.ts";
import { shellWord } from "../shell-word.ts";
import { TIMEOUT_FLAG } from "../time-limit.ts";
import { TYPED_SERVER_FLAGS, TYPED_SERVER_NOTE } from "../typed-server-flags.ts";
import { usageError } from "../usage-error.ts";
import { tools } from "./tools.ts";

export const call: Command = {
  name: "call",
  summary: "Call a tool. Arguments are converted to the types in the tool's schema.",
  parameters: "<server> <tool> [key=value …]",
  notes: [
    "Without a tool, lists the server's tools.",
    TYPED_SERVER_NOTE,
    "key=value    converted by the schema: count=3, flag=true; repeat a key for a list; a.b=1 sets a nested field",
    'key:=json    any JSON: tags:=\'["a","b"]\'',
    "key=@file    set an argument to a file's contents",
  ],
  words: { least: 1, most: Number.POSITIVE_INFINITY },
  flags: {
    "dry-run": { type: "boolean", summary: "show the request and the policy rule without calling the tool" },
    input: {
      type: "string",
      value: "<json>",
      summary: "all arguments as JSON, @file, or - for standard input",
    },
    account: { type: "string", value: "<name>", summary: "the account to use, if you have several" },
    record: {
      type: "string",
      value: "<file>",
      summary: "record the exchange with the server, to replay it in a test",
    },
    ...TYPED_SERVER_FLAGS,
    ...TIMEOUT_FLAG,
  },
  takesRest: true,
  takesTypedServer: true,
  examples: [
    "plugboard call demo",
    'plugboard call demo text_stats text="hello there"',
    "plugboard call demo uuid count=3",
    `plugboard call files read_text_file --input '{"path":"README.md"}'`,
    "plugboard call files write_file path=copy.md content=@README.md",
    "plugboard call echo message=hi -- npx -y @modelcontextprotocol/server-everything",
  ],
  async run(context) {
    const [server = "", tool, ...words] = context.words;
    if (tool === undefined) return listServerTools(context, server);
    const { input, record } = context.flags;
    const dryRun = context.flags["dry-run"] === true;
    const progress = showProgress(context);
    const host: Host = await context.openHost({
      daemon: "auto",
      demo: server === "demo",
      onCall: ask(context),
      ...(typeof record === "string" && { record }),
      ...answerServers(context, () => host, progress),
    });
    const start =
      typeof input === "string" ? await parseWholeInput(input, context.terminal.readAllInput) : {};
    const account = typeof context.flags["account"] === "string" ? context.flags["account"] : undefined;
    if (dryRun) {
      const known = await host.tools(server, { account }).catch(() => []);
      const definition = known.find((candidate) => candidate.tool === tool);
      const args = await parseCallArguments(words, definition?.inputSchema ?? {}, start);
      return printPreview(context, await host.doctor.preview(server, tool, args));
    }
    const { signal } = context;
    const textLimit = Number.POSITIVE_INFINITY; // print the whole result
    const options = { signal, account, onProgress: progress.show, textLimit };
    const complete = askForMissing(context);
    const typed = async ({ inputSchema }: ToolDefinition): Promise<JsonObject> =>
      complete(inputSchema, await parseCallArguments(words, inputSchema, start));
    const make = (): Promise<ToolResult> => host.call(server, tool, typed, options).finally(progress.clear);
    const result = await make().catch(async (error: unknown) => {
      if (context.json || host.sandbox.denials(server).length === 0) throw error;
      const { allowAndRetry } = await import("../input/ask-denial.lazy.ts");
      return allowAndRetry(context, host, server, { error, retry: make });
    });
    const code = printResult(context, result);
    const { denied } = result.details;
    if (denied !== undefined && !context.json)
      await (await import("../input/ask-denial.lazy.ts")).askAboutDenials(context, host, server, denied);
    if (!context.json) await printImages(context, result);
    return code;
  },
};

/** Lists the server's tools if none is named. This is still a usage error, because nothing was called. */
async function listServerTools(context: CommandContext, server: string): Promise<ExitCode> {
  if (!context.json) await tools.run(context);
  const { program } = context;
  throw usageError("Missing <tool>.", `Usage: ${program} call ${shellWord(server)} <tool> [key=value …]`);
}

/** Asks on the terminal before a call. Without a terminal the call is not approved. */
function ask({ json, terminal }: CommandContext): (request: CallRequest) => Promise<boolean> {
  return async ({ server, tool, args, rule }) => {
    if (json) return false;
    terminal.err(
      `${safeLine(server)} ${safeLine(tool)} ${safeLine(JSON.stringify(args))}\n${safeLine(rule)}\n`,
    );
    return (await terminal.confirm("Call this tool?")) === true;
  };
}

/** Returns a function that asks for missing required arguments, once and only on a terminal. */
function askForMissing(
  context: CommandContext,
): (schema: JsonObject, given: JsonObject) => Promise<JsonObject> {
  const ask = context.json ? undefined : (context.askFields ?? askOnTerminal(context));
  if (ask === undefined) return async (_, given) => given;
  let asked: ReturnType<typeof ask> | undefined;
  return async (schema, given) => {
    const { missingArguments } = await import("../input/missing-arguments.lazy.ts");
    const fields = missingArguments(schema, given);
    if (fields.length === 0) return given;
    // A sign-in repeats the whole call, but the user answers once.
    asked ??= ask(fields, context.signal);
    return withFormAnswers(given, (await asked) ?? new Map(), schema);
  };
}

function askOnTerminal({ interactive, terminal, style }: CommandContext): AskFields | undefined {
  if (interactive === undefined || !terminal.outIsTty || !terminal.canAnswer()) return undefined;
  return (fields, signal) => interactive.askArguments(style, fields, signal);
}

function printPreview({ json, printJson, terminal, style }: CommandContext, preview: CallPreview): ExitCode {
  const { server, tool, request, answer, rule, complaints, isKnown } = preview;
  const canBeCalled = answer !== "deny" && complaints.length === 0;
  if (json) printJson(preview);
  else {
    const words = {
      allow: style.good("allowed"),
      ask: style.warn("requires approval"),
      deny: style.bad("denied"),
    };
    terminal.out(
      [
        `${safeLine(server)} ${safeLine(tool)}: ${words[answer]}`,
        `  ${style.dim("rule")}  ${safeLine(rule)}`,
        `  ${style.dim("sends")} ${safeText(JSON.stringify(request))}`,
        ...complaints.map((complaint) => `  ${style.bad("✗")} ${safeLine(complaint)}`),
        ...(isKnown ? [] : [`  ${style.dim("tool definition unknown; arguments not checked")}`]),
        "",
      ].join("\n"),
    );
  }
  return canBeCalled ? 0 : 1;
}
