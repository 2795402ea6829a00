import { isatty } from "node:tty";
import type { CallRequest, Host } from "../../../../index.ts";
import { safeLine } from "../../../../terminal.ts";
import type { CommandContext, ExitCode } from "../../../shared/command.ts";
import { displayContextOf } from "../../../shared/display-context.ts";
import { exitCodeOf } from "../../../shared/exit-code.ts";
import { renderError, toErrorDocument } from "../../../shared/render/error.ts";
import { usageError } from "../../../shared/usage-error.ts";
import { compose } from "../../insert/compose.ts";
import { createTerminalCallQuestion } from "../../questions/ask-on-terminal.lazy.ts";
import type { TurnEnd } from "../chat-event.ts";
import { createConversation } from "../conversation.ts";
import { keepConversation } from "../keep/kept-conversation.ts";
import { createModels } from "../models/models.ts";
import { describeAbsence } from "../show/describe-absence.ts";
import { describeCut } from "../show/describe-cut.ts";
import { readPipedInput } from "./piped-input.ts";
import { createReport, type Report } from "./report.ts";

/** How long to wait for servers whose tools are not known yet. */
const WAIT_MS = 10_000;

const RUNNING = { verb: "", program: "plugboard" } as const;

/** Runs `plugboard --print`: one turn without user interaction. */
export async function printTurn(context: CommandContext): Promise<ExitCode> {
  const { flags, signal, terminal } = context;
  const prompt = await readPrompt(context);
  const refused: CallRequest[] = [];
  const askPerson = canAsk(context)
    ? createTerminalCallQuestion(context.style, () => host, signal)
    : undefined;
  const host: Host = await context.openHost({
    async onCall(request, call) {
      if (flags["allow-writes"] === true && request.isDefault) return true;
      if (askPerson !== undefined) return askPerson(request, call);
      refused.push(request);
      return false;
    },
  });
  const asked = typeof flags["model"] === "string" ? flags["model"] : undefined;
  const models = createModels({ host, env: process.env, asked });
  const folder = displayContextOf(context).cwd;
  const conversation = createConversation({ host, models, folder, waitMs: WAIT_MS });
  const kept = keepConversation(host, conversation, folder);
  const continues = flags["continue"] === true;
  if (flags["resume"] === true) throw usageError("--resume needs interactive mode.", "Use --continue.");
  if (continues && !(await kept.resumeLast()))
    throw usageError("There is no earlier conversation in this folder.", "Omit --continue.");
  const report = createReport(context);
  const { name } = await models.current(signal);
  report.start(name);
  const messages = await compose(host, prompt.line, signal);
  const end = await conversation.say(
    prompt.piped === "" ? messages : [...messages, { role: "user", content: prompt.piped }],
    {
      signal,
      onEvent: report.tell,
      onAbsent(servers) {
        for (const server of servers) report.absent(server, describeAbsence(server, "plugboard"));
      },
    },
  );
  if (continues) await kept.save(name);
  const code = exitCode(end, refused.length);
  finish(end, code, { context, report });
  for (const { server, tool, rule, isDefault } of context.json ? [] : refused)
    terminal.err(
      `! ${safeLine(server)} ${safeLine(tool)} was not called: it requires approval (${safeLine(rule)}).${isDefault ? " To allow it: --allow-writes" : ""}\n`,
    );
  return code;
}

/** Returns whether a person at a terminal can answer. Piped input and output belong to other programs. */
function canAsk({ json, terminal }: CommandContext): boolean {
  return !json && terminal.outIsTty && isatty(0) && process.env["TERM"] !== "dumb";
}

/** Returns 3 if a call was refused because no person could approve it. */
function exitCode(end: TurnEnd, refused: number): ExitCode {
  if (end.kind === "aborted") return 130;
  if (end.kind === "failed") return exitCodeOf(end.error);
  if (end.kind === "limit") return 1;
  return refused > 0 ? 3 : 0;
}

function finish(
  end: TurnEnd,
  code: ExitCode,
  { context, report }: { readonly context: CommandContext; readonly report: Report },
): void {
  const { json, terminal } = context;
  if (end.kind === "failed") {
    if (json) report.line({ type: "error", ...toErrorDocument(end.error, RUNNING) });
    else terminal.err(renderError(end.error, terminal.errStyle(context.flags["no-color"] !== true), RUNNING));
  }
  if (end.kind === "done" && end.cut !== undefined && !json) terminal.err(`! ${describeCut(end.cut)}\n`);
  if (end.kind === "limit" && !json)
    terminal.err(`! Stopped after ${end.steps} steps, before the model was done.\n`);
  report.end(end.kind, code);
}

interface Prompt {
  readonly line: string;
  /** The piped input. Only `line` can mention resources. */
  readonly piped: string;
}

async function readPrompt({ flags, terminal }: CommandContext): Promise<Prompt> {
  const given = typeof flags["print"] === "string" ? flags["print"] : "";
  const prompt =
    given === "-"
      ? { line: (await terminal.readAllInput()).trim(), piped: "" }
      : { line: given.trim(), piped: (await readPipedInput()).trim() };
  if (prompt.line === "" && prompt.piped === "")
    throw usageError(
      "The prompt is empty.",
      'Use plugboard --print "<prompt>", or pipe the prompt to --print -.',
    );
  return prompt.line === "" ? { line: prompt.piped, piped: "" } : prompt;
}
