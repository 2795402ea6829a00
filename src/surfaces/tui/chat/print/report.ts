import { safeText } from "../../../../terminal.ts";
import type { CommandContext, ExitCode } from "../../../shared/command.ts";
import type { ChatEvent, TurnEnd } from "../chat-event.ts";
import type { AbsentServer } from "../ready-servers.ts";
import { PREVIEW_LINES, renderCall, type ShownCall } from "../show/render-call.ts";

/** Prints a turn: the answer to standard output and the rest to standard error, or everything as lines of JSON. */
export interface Report {
  start(model: string): void;
  absent(server: AbsentServer, words: string): void;
  tell(event: ChatEvent): void;
  end(outcome: TurnEnd["kind"], exitCode: ExitCode): void;
  /** One line of JSON. */
  line(value: object): void;
}

export function createReport({ json, jsonLine, terminal, flags }: CommandContext): Report {
  const style = terminal.errStyle(flags["no-color"] !== true);
  const showsCalls = !json && (terminal.errIsTty() || flags["verbose"] === true);
  const line = (value: object): void => terminal.out(jsonLine(value));
  const args = new Map<string, unknown>();
  let text = "";
  let held = "";
  let isMidLine = false;
  let needsBlankLine = false;

  /** Prints text. Holds back half of a surrogate pair until the other half arrives. */
  const say = (delta: string): void => {
    const all = held + delta;
    held = /[\ud800-\udbff]$/.test(all) ? all.slice(-1) : "";
    const whole = held === "" ? all : all.slice(0, -1);
    if (whole === "") return;
    if (needsBlankLine && text !== "") terminal.out(isMidLine ? "\n\n" : "\n");
    needsBlankLine = false;
    terminal.out(terminal.outIsTty ? safeText(whole) : whole);
    isMidLine = !whole.endsWith("\n");
  };
  const showCall = (call: ShownCall): string[] =>
    renderCall(call, style, terminal.columns).slice(0, PREVIEW_LINES + 1);
  return {
    line,
    start(model) {
      if (json) line({ type: "start", model });
    },
    absent({ name: server, state, because }, words) {
      if (json) line({ type: "server.absent", server, state, ...(because !== undefined && { because }) });
      else terminal.err(`${style.warn("!")} ${words}\n`);
    },
    tell(event) {
      if (event.type === "call.started") args.set(event.id, event.args);
      if (json) line(event);
      else if (event.type === "text") say(event.text);
      else needsBlankLine = true;
      if (event.type === "text") text += event.text;
      if (showsCalls && event.type === "call.ended")
        terminal.err(`${showCall({ ...event, args: args.get(event.id) }).join("\n")}\n`);
    },
    end(outcome, exitCode) {
      if (json) line({ type: "end", outcome, exitCode, text });
      else if (isMidLine) terminal.out("\n");
    },
  };
}
