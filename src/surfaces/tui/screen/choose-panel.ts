import type { Style } from "../../shared/render/style.ts";
import type { Answer, ChooseQuestion } from "../dialogs.ts";
import { type Key, keyLabel } from "./key.ts";
import { choiceRows, hintRow, isBack, moveMark, questionRows } from "./question-view.ts";
import type { Panel } from "./view.ts";

const MOST_NUMBERS = 9;

/** Creates a panel for one choice, picked with arrows and Enter, a number, or the choice's key. */
export function createChoosePanel<T>(
  question: ChooseQuestion<T>,
  style: Style,
  answer: (answer: Answer<T>) => void,
): Panel {
  const { choices, initial } = question;
  let marked = Math.max(
    0,
    choices.findIndex(({ value }) => value === initial),
  );
  const pick = (index: number): boolean => {
    const choice = choices[index];
    if (choice !== undefined) answer({ kind: "value", value: choice.value });
    return choice !== undefined;
  };
  const pickByLetter = (letter: string): boolean => {
    const own = choices.findIndex(({ key }) => key?.toLowerCase() === letter.toLowerCase());
    if (own !== -1) return pick(own);
    return /^[1-9]$/.test(letter) && pick(Number(letter) - 1);
  };
  return {
    view(columns, rows) {
      const above = questionRows(question, columns, style);
      const room = Math.max(1, rows - above.length - 2);
      const listed = choiceRows(choices, { marked, room, columns, style }, (index) => {
        const key = choices[index]?.key ?? (index < MOST_NUMBERS ? String(index + 1) : " ");
        return index === marked ? `${key}  ` : `${style.dim(key)}  `;
      });
      return { rows: [...above, ...listed, hintRow(["↑↓ Enter"], question, columns, style)] };
    },
    handle(key: Key) {
      if (key.kind === "text") {
        if (key.text.length === 1) pickByLetter(key.text); // longer text was not meant for this question
        return true;
      }
      const moved = moveMark(key, marked, choices.length);
      if (moved !== undefined) marked = moved;
      else if (keyLabel(key) === "enter") pick(marked);
      else if (keyLabel(key) === "escape") answer({ kind: "cancel" });
      else if (question.canGoBack === true && isBack(key)) answer({ kind: "back" });
      else return false;
      return true;
    },
  };
}
