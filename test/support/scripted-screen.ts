import { createStyle } from "../../src/surfaces/shared/render/style.ts";
import type {
  Answer,
  ChooseManyQuestion,
  ChooseQuestion,
  TextQuestion,
} from "../../src/surfaces/tui/dialogs.ts";
import type { Screen } from "../../src/surfaces/tui/screen.ts";

/** One step back, Esc, or no answer until the question is withdrawn. */
export const BACK: unique symbol = Symbol("back");
export const ESC: unique symbol = Symbol("esc");
export const AWAY: unique symbol = Symbol("away");

/** A question as the user sees it. */
export interface Asked {
  readonly kind: "choose" | "chooseMany" | "text";
  readonly title: string;
  readonly lines: readonly string[];
  readonly choices: readonly { readonly value: unknown; readonly label: string }[];
  readonly initial: unknown;
  readonly isHidden: boolean;
  /** What was wrong with the previous answer. */
  readonly complaint?: string;
}

export interface ScriptedScreen extends Screen {
  /** Everything that was printed, joined with line breaks. */
  printed(): string;
  readonly asked: readonly Asked[];
  /** The current and earlier content of blocks. */
  readonly shown: readonly string[];
}

/** A screen in memory. `reply` returns the user's answers. */
export function createScriptedScreen(reply: (asked: Asked) => unknown): ScriptedScreen {
  const pieces: string[] = [];
  const asked: Asked[] = [];
  const shown: string[] = [];

  async function ask<T>(
    question: Omit<Asked, "complaint">,
    signal: AbortSignal | undefined,
    check: (value: T) => string | undefined,
  ): Promise<Answer<T>> {
    for (let complaint: string | undefined; ; ) {
      if (signal?.aborted) return { kind: "cancel" };
      const now: Asked = { ...question, ...(complaint !== undefined && { complaint }) };
      asked.push(now);
      const over = new AbortController();
      const gone = new Promise<typeof ESC>((resolve) => {
        signal?.addEventListener("abort", () => resolve(ESC), { once: true, signal: over.signal });
      });
      const answered = Promise.resolve(reply(now)).then((value) => (value === AWAY ? gone : value));
      const said = await Promise.race([gone, answered]).finally(() => over.abort());
      if (said === BACK) return { kind: "back" };
      if (said === ESC) return { kind: "cancel" };
      complaint = check(said as T);
      if (complaint === undefined) return { kind: "value", value: said as T };
    }
  }
  const choicesOf = ({ choices }: Pick<ChooseQuestion<unknown>, "choices">) =>
    choices.map(({ value, label }) => ({ value, label }));
  const isOffered = (
    values: readonly unknown[],
    { choices }: Pick<ChooseQuestion<unknown>, "choices">,
  ): void => {
    for (const value of values)
      if (!choices.some((choice) => choice.value === value)) throw new Error(`not offered: ${String(value)}`);
  };

  return {
    columns: 100,
    style: createStyle(false),
    print: (text) => void pieces.push(text.replace(/\n$/, "")),
    printed: () => pieces.join("\n"),
    asked,
    shown,
    setAside: () => {},
    openBlock: () => ({
      show: (lines) => void shown.push(...lines),
      end: (text) => void (text === undefined || pieces.push(text)),
    }),
    dialogs: {
      openPanel: () => Promise.reject(new Error("no panel is scripted")),
      choose: <T>(question: ChooseQuestion<T>) =>
        ask<T>(
          {
            kind: "choose",
            title: question.title,
            lines: question.lines ?? [],
            choices: choicesOf(question),
            initial: question.initial,
            isHidden: false,
          },
          question.signal,
          (value) => {
            isOffered([value], question);
            return undefined;
          },
        ),
      chooseMany: <T>(question: ChooseManyQuestion<T>) =>
        ask<readonly T[]>(
          {
            kind: "chooseMany",
            title: question.title,
            lines: question.lines ?? [],
            choices: choicesOf(question),
            initial: question.initial,
            isHidden: false,
          },
          question.signal,
          (values) => {
            isOffered(values, question);
            return question.check?.(values);
          },
        ),
      askText: (question: TextQuestion) =>
        ask<string>(
          {
            kind: "text",
            title: question.title,
            lines: question.lines ?? [],
            choices: [],
            initial: question.initial,
            isHidden: question.isHidden === true,
          },
          question.signal,
          (text) => question.check?.(text),
        ),
    },
  };
}

/** Answers in this order. A function receives the question. More questions than answers are an error. */
export function inOrder(...replies: readonly unknown[]): (asked: Asked) => unknown {
  const left = [...replies];
  return (asked) => {
    if (left.length === 0) throw new Error(`nobody expected: ${asked.title}`);
    const next = left.shift();
    return typeof next === "function" ? (next as (asked: Asked) => unknown)(asked) : next;
  };
}
