import type { Answer, Choice, Dialogs, Question } from "../dialogs.ts";

export interface ReadOptions extends Pick<Question, "isUnexpected" | "signal"> {
  readonly isHidden?: boolean;
}

/** Reads one line from the user. Resolves with `undefined` if the user cancels. */
export type ReadAnswer = (prompt: string, options: ReadOptions) => Promise<string | undefined>;

const BACK = "b";

/** Asks questions with text only: choices are numbered, and a line answers. */
export function createLinearDialogs(print: (text: string) => void, read: ReadAnswer): Dialogs {
  /** Prints the question and reads answers until one is valid. */
  const ask = async <T>(
    question: Question & { readonly isHidden?: boolean },
    { body, hint, parse }: Form<T>,
  ): Promise<Answer<T>> => {
    const { title, lines = [], canGoBack = false } = question;
    print([`Question: ${title}`, ...lines, ...body].join("\n"));
    const prompt = `${hint}${canGoBack ? `, ${BACK} to go back` : ""}, Esc to cancel: `;
    for (;;) {
      const line = await read(prompt, question);
      if (line === undefined) return { kind: "cancel" };
      if (canGoBack && line.trim().toLowerCase() === BACK) return { kind: "back" };
      const parsed = parse(line);
      if ("value" in parsed) return { kind: "value", value: parsed.value };
      print(parsed.wrong);
    }
  };
  return {
    choose: (question) => {
      const { choices, initial, isUnexpected = false } = question;
      const start = Math.max(
        0,
        choices.findIndex(({ value }) => value === initial),
      );
      const parse = (line: string): Parsed<(typeof choices)[number]["value"]> => {
        const word = line.trim().toLowerCase();
        // A question that appears on its own needs an explicit answer: Enter may have been meant for other input.
        const index = word === "" && !isUnexpected ? start : findChoice(choices, word);
        const choice = choices[index];
        return choice === undefined
          ? { wrong: `Type a number from 1 to ${choices.length}.` }
          : { value: choice.value };
      };
      const hint = isUnexpected ? "Type a number" : `Type a number, Enter for ${start + 1}`;
      return ask(question, { body: listOf(choices), hint, parse });
    },
    chooseMany: (question) => {
      const { choices, initial = [] } = question;
      return ask(question, {
        body: listOf(choices, (choice) => (initial.includes(choice.value) ? "[x] " : "[ ] ")),
        hint: "Type numbers with spaces, 0 for none, Enter for the marked ones",
        parse(line) {
          const words = line.split(/[\s,]+/).filter((word) => word !== "");
          const chosen = words.filter((word) => word !== "0").map((word) => choices[Number(word) - 1]);
          if (chosen.includes(undefined)) return { wrong: `Type numbers from 1 to ${choices.length}.` };
          const values =
            words.length === 0 ? initial : chosen.flatMap((choice) => (choice ? [choice.value] : []));
          const wrong = question.check?.(values);
          return wrong === undefined ? { value: values } : { wrong };
        },
      });
    },
    askText: (question) => {
      const { initial = "", placeholder, example, isHidden = false } = question;
      const about = placeholder ?? (example === undefined ? "" : `For example: ${example}`);
      return ask(question, {
        body: about === "" ? [] : [about],
        hint: initial === "" || isHidden ? "Type your answer" : `Type your answer, Enter for "${initial}"`,
        parse(line) {
          const text = line === "" ? initial : line;
          const wrong = question.check?.(text);
          return wrong === undefined ? { value: text } : { wrong };
        },
      });
    },
    openPanel: async () => ({ kind: "cancel" }), // a panel repaints itself
  };
}

type Parsed<T> = { readonly value: T } | { readonly wrong: string };

interface Form<T> {
  readonly body: readonly string[];
  readonly hint: string;
  parse(line: string): Parsed<T>;
}

function listOf<T>(choices: readonly Choice<T>[], mark: (choice: Choice<T>) => string = () => ""): string[] {
  return choices.map((choice, index) => {
    const note = choice.note === undefined ? "" : `, ${choice.note}`;
    return `${index + 1}. ${mark(choice)}${choice.label}${note}`;
  });
}

/** Returns the index of the choice with this number or key; -1 if there is none. */
function findChoice(choices: readonly Choice<unknown>[], word: string): number {
  const own = choices.findIndex(({ key }) => key?.toLowerCase() === word);
  return own === -1 && /^\d{1,6}$/.test(word) ? Number(word) - 1 : own;
}
