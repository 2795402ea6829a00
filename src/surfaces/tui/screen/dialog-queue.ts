import type { Style } from "../../shared/render/style.ts";
import type { Answer, Dialogs, Question } from "../dialogs.ts";
import { createAskTextPanel } from "./ask-text-panel.ts";
import { createChooseManyPanel } from "./choose-many-panel.ts";
import { createChoosePanel } from "./choose-panel.ts";
import { type Asked, questionRows } from "./question-view.ts";
import type { Panel } from "./view.ts";

interface Waiting {
  /** Makes the question ready to be seen. */
  open(): Panel;
  cancel(): void;
}

/** Questions to the person, one at a time. */
export interface DialogQueue {
  readonly dialogs: Dialogs;
  /** The question that is asked now. */
  readonly panel: Panel | undefined;
  /** Calls the present question off, as Esc does. */
  cancel(): void;
  /** Calls all of them off; later ones are not asked. */
  close(): void;
}

export interface DialogSurroundings {
  readonly style: Style;
  size(): { readonly columns: number; readonly rows: number };
  print(text: string): void;
  /** Something else is to be seen. */
  onChange(): void;
}

export function createDialogQueue({ style, size, print, onChange }: DialogSurroundings): DialogQueue {
  const waiting: Waiting[] = [];
  let panel: Panel | undefined;
  let isClosed = false;

  /** What has no room above the answer is printed, so that all of it can be read. */
  const fitted = <Q extends Asked>(question: Q): Q => {
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
      choose: (question) => ask(question, (answer) => createChoosePanel(fitted(question), style, answer)),
      chooseMany: (question) =>
        ask(question, (answer) => createChooseManyPanel(fitted(question), style, answer)),
      askText: (question) =>
        ask(question, (answer) => createAskTextPanel(fitted(question), style, { answer, onChange })),
    },
    get panel() {
      return panel;
    },
    cancel: () => waiting[0]?.cancel(),
    close() {
      isClosed = true;
      for (const { cancel } of waiting.toReversed()) cancel(); // so that none is shown on the way
    },
  };
}
