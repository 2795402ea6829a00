import type { Style } from "../../shared/render/style.ts";
import type { Answer, ChooseManyQuestion } from "../dialogs.ts";
import { type Key, keyLabel } from "./key.ts";
import { choiceRows, complaintRows, hintRow, isBack, moveMark, questionRows } from "./question-view.ts";
import type { Panel } from "./view.ts";

/** Creates a panel for several choices. Space toggles a choice, Enter submits. */
export function createChooseManyPanel<T>(
  question: ChooseManyQuestion<T>,
  style: Style,
  answer: (answer: Answer<readonly T[]>) => void,
): Panel {
  const { choices, initial = [] } = question;
  const selected = new Set<number>();
  choices.forEach(({ value }, index) => void (initial.includes(value) && selected.add(index)));
  let marked = 0;
  let complaint: string | undefined;
  const values = (): T[] => choices.filter((_, index) => selected.has(index)).map(({ value }) => value);
  const toggle = (index: number): void => {
    if (choices[index] === undefined) return;
    if (!selected.delete(index)) selected.add(index);
    complaint = undefined;
  };
  const finish = (): void => {
    complaint = question.check?.(values());
    if (complaint === undefined) answer({ kind: "value", value: values() });
  };
  return {
    view(columns, rows) {
      const above = questionRows(question, columns, style);
      const below = [
        ...complaintRows(complaint, columns, style),
        hintRow(["↑↓", "Space select", "Enter done"], question, columns, style),
      ];
      const room = Math.max(1, rows - above.length - below.length - 1);
      const listed = choiceRows(choices, { marked, room, columns, style }, (index) =>
        selected.has(index) ? `${style.good("◼")} ` : "◻ ",
      );
      return { rows: [...above, ...listed, ...below] };
    },
    handle(key: Key) {
      if (key.kind === "text") {
        for (const letter of key.text) {
          if (letter === " ") toggle(marked);
          else if (/[1-9]/.test(letter)) toggle(Number(letter) - 1);
        }
        return true;
      }
      const moved = moveMark(key, marked, choices.length);
      if (moved !== undefined) marked = moved;
      else if (keyLabel(key) === "enter") finish();
      else if (keyLabel(key) === "escape") answer({ kind: "cancel" });
      else if (question.canGoBack === true && isBack(key)) answer({ kind: "back" });
      else return false;
      return true;
    },
  };
}
