import type { Terminal } from "../../shared/terminal.ts";
import { usageError } from "../../shared/usage-error.ts";
import type { LiveBlock, Screen } from "../screen.ts";

/** A terminal for commands that prints to the screen and asks with dialogs. */
export interface ScreenTerminal extends Terminal {
  /** Prints the last incomplete line and removes the progress line. */
  flush(): void;
}

export function createScreenTerminal(screen: Screen, home: string, signal: AbortSignal): ScreenTerminal {
  let rest = "";
  let progress: LiveBlock | undefined;
  const decoder = new TextDecoder();
  /** Prints complete lines only. */
  const write = (text: string): void => {
    if (signal.aborted) return; // a cancelled command may run a little longer
    rest += text;
    const end = rest.lastIndexOf("\n");
    if (end === -1) return;
    screen.print(rest.slice(0, end));
    rest = rest.slice(end + 1);
  };
  return {
    out: (text) => write(typeof text === "string" ? text : decoder.decode(text)),
    err: write,
    canAnswer: () => false, // the screen asks instead
    outIsTty: true,
    errIsTty: () => true,
    get columns() {
      return screen.columns;
    },
    style: () => screen.style,
    errStyle: () => screen.style,
    home,
    async confirm(question) {
      const answer = await screen.dialogs.choose({
        title: question,
        choices: [
          { value: true, label: "Yes", key: "y" },
          { value: false, label: "No", key: "n" },
        ],
        initial: false,
        signal,
      });
      return answer.kind === "value" && answer.value;
    },
    async choose(question, labels) {
      const answer = await screen.dialogs.choose<number | false>({
        title: question,
        choices: [
          ...labels.map((label, index) => ({
            value: index,
            label,
            key: index === 0 ? "y" : String(index + 1),
          })),
          { value: false, label: "No", key: "n" },
        ],
        initial: false,
        signal,
      });
      return answer.kind === "value" && answer.value;
    },
    async readLine(question, stop) {
      const answer = await screen.dialogs.askText({ title: titleOf(question), signal: stop });
      return answer.kind === "value" ? answer.value : undefined;
    },
    async readHidden(question, stop) {
      const answer = await screen.dialogs.askText({
        title: titleOf(question),
        isHidden: true,
        signal: stop,
      });
      return answer.kind === "value" ? answer.value : undefined;
    },
    async readAllInput() {
      throw usageError("Standard input is not available here.", "Use a file: @file.");
    },
    showProgress(line) {
      if (line === undefined) {
        progress?.end();
        progress = undefined;
        return;
      }
      if (signal.aborted) return; // nothing would remove the line
      progress ??= screen.openBlock();
      progress.show([line]);
    },
    cancelKey: "esc",
    flush() {
      progress?.end();
      progress = undefined;
      if (rest !== "" && !signal.aborted) screen.print(rest);
      rest = "";
    },
  };
}

/** Removes the colon at the end, because a dialog shows the input on its own line. */
function titleOf(question: string): string {
  return question.replace(/:\s*$/, "");
}
