import type { Style } from "../../shared/render/style.ts";
import type { Answer, Dialogs, Question } from "../dialogs.ts";
import { createAskTextPanel } from "./ask-text-panel.ts";
import { createChooseManyPanel } from "./choose-many-panel.ts";
import { createChoosePanel } from "./choose-panel.ts";
import { type Asked, questionRows } from "./question-view.ts";
import type { Panel } from "./view.ts";

interface Waiting {
  /** Creates the panel of the question. */
  open(): Panel;
  cancel(): void;
}

/** Shows questions to the user one at a time. */
export interface DialogQueue {
  readonly dialogs: Dialogs;
  /** The current question. */
  readonly panel: Panel | undefined;
  /** Cancels the current question, like Esc. */
  cancel(): void;
  /** Cancels all questions. Later questions are cancelled immediately. */
  close(): void;
}

export interface DialogQueueOptions {
  readonly style: Style;
  size(): { readonly columns: number; readonly rows: number };
  print(text: string): void;
  /** Called when the current question changes. */
  onChange(): void;
}

export function createDialogQueue({ style, size, print, onChange }: DialogQueueOptions): DialogQueue {
  const waiting: Waiting[] = [];
  let panel: Panel | undefined;
  let isClosed = false;

  /** Prints the question's text if it takes more than half of the screen. */
  const withFittingText = <Q extends Asked>(question: Q): Q => {
    const { columns, rows } = size();
    const above = questionRows(question, columns, style);
    if (above.length <= Math.floor(rows / 2)) return question;
    print(above.join("\n"));
    return { ...question, lines: [] };
  };
  const showNext = (): void => {
    panel = waiting[0]?.open();
    onChange();
  };
  const ask = <T>(
    { signal, isUnexpected = false }: Pick<Question, "signal" | "isUnexpected">,
    open: (answer: (answer: Answer<T>) => void) => Panel,
  ): Promise<Answer<T>> => {
    if (isClosed || signal?.aborted === true) return Promise.resolve({ kind: "cancel" });
    return new Promise((resolve) => {
      const finish = (answer: Answer<T>): void => {
        const place = waiting.indexOf(entry);
        if (place === -1) return;
        signal?.removeEventListener("abort", cancel);
        waiting.splice(place, 1);
        resolve(answer);
        if (place === 0) showNext();
      };
      const cancel = (): void => finish({ kind: "cancel" });
      const entry: Waiting = { open: () => ({ ...open(finish), isUnexpected }), cancel };
      signal?.addEventListener("abort", cancel, { once: true });
      waiting.push(entry);
      if (waiting.length === 1) showNext();
    });
  };

  return {
    dialogs: {
      choose: (question) =>
        ask(question, (answer) => createChoosePanel(withFittingText(question), style, answer)),
      chooseMany: (question) =>
        ask(question, (answer) => createChooseManyPanel(withFittingText(question), style, answer)),
      askText: (question) =>
        ask(question, (answer) => createAskTextPanel(withFittingText(question), style, { answer, onChange })),
      openPanel: (open, signal) => ask({ signal }, (answer) => open({ answer, repaint: onChange })),
    },
    get panel() {
      return panel;
    },
    cancel: () => waiting[0]?.cancel(),
    close() {
      isClosed = true;
      for (const { cancel } of waiting.toReversed()) cancel(); // from the end, so that no other question is shown
    },
  };
}
