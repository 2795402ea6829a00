import type { Style } from "../../shared/render/style.ts";
import type { Answer, TextQuestion } from "../dialogs.ts";
import { cleanText } from "./clean-text.ts";
import { type CompletionMenu, createCompletionMenu } from "./completion-menu.ts";
import { createEditor } from "./editor.ts";
import { layoutText } from "./editor-layout.ts";
import { type Key, keyLabel } from "./key.ts";
import { complaintRows, hintRow, isBack, questionRows } from "./question-view.ts";
import { firstShown, type Panel } from "./view.ts";
import { cut } from "./wrap.ts";

const PROMPT = "› ";
const MENU_ROWS = 6;
const EDITOR_ROWS = 4;

/** Creates a panel for one line of text. Secrets are hidden. */
export function createAskTextPanel(
  question: TextQuestion,
  style: Style,
  { answer, onChange }: { answer(answer: Answer<string>): void; onChange(): void },
): Panel {
  const editor = createEditor({ isMultiLine: false });
  editor.reset(question.initial ?? "");
  const placeholder = cleanText(question.placeholder ?? question.example ?? "").replaceAll("\n", " ");
  let complaint: string | undefined;
  let menu: CompletionMenu | undefined;
  let asked = 0;
  const shownAs = (): string | undefined => (question.isHidden === true ? "•" : undefined);

  const complete = async (): Promise<void> => {
    if (menu !== undefined) {
      editor.reset(menu.chosen);
      menu = undefined;
      return;
    }
    if (question.complete === undefined) return;
    asked += 1;
    const own = asked;
    const items = await question.complete(editor.text).catch(() => []);
    if (own !== asked) return; // the text changed, or the question was closed
    menu = createCompletionMenu({ from: 0, items: items.map((text) => ({ text })) });
    if (menu?.length === 1) {
      editor.reset(menu.chosen);
      menu = undefined;
    }
    onChange();
  };
  const finish = (): void => {
    if (menu?.wasMoved) {
      editor.reset(menu.chosen);
      menu = undefined;
      return;
    }
    complaint = question.check?.(editor.text);
    if (complaint === undefined) answer({ kind: "value", value: editor.text });
  };
  const bindings: Readonly<Record<string, () => void>> = {
    enter: finish,
    tab: () => void complete(),
    up: () => menu?.move(-1),
    down: () => menu?.move(1),
    escape() {
      if (menu === undefined) answer({ kind: "cancel" });
      menu = undefined;
    },
  };
  const goesBack = (key: Key): boolean =>
    question.canGoBack === true && isBack(key) && (keyLabel(key) === "shift+tab" || editor.cursor === 0);

  return {
    view(columns, rows) {
      const above = questionRows(question, columns, style);
      const { rows: lines, cursor } = layoutText(
        editor.text,
        editor.cursor,
        columns - PROMPT.length,
        shownAs,
      );
      const room = Math.max(1, Math.min(EDITOR_ROWS, rows - above.length - 2));
      const first = firstShown(lines.length, room, cursor.row);
      const typed = lines.slice(first, first + room).map(({ shown }, index) => {
        const words = editor.text === "" ? style.dim(cut(placeholder, columns - PROMPT.length)) : shown;
        return `${first + index === 0 ? style.name(PROMPT) : "  "}${words}`;
      });
      const items = menu?.view(columns, Math.min(MENU_ROWS, rows - above.length - typed.length - 1), style);
      const hints = question.complete === undefined ? ["Enter done"] : ["Enter done", "Tab complete"];
      return {
        rows: [
          ...above,
          ...typed,
          ...(items ?? []),
          ...complaintRows(complaint, columns, style),
          hintRow(hints, question, columns, style),
        ],
        cursor: { row: above.length + cursor.row - first, column: cursor.column + PROMPT.length },
      };
    },
    handle(key) {
      if (goesBack(key)) {
        answer({ kind: "back" });
        return true;
      }
      const action = bindings[keyLabel(key)];
      if (action !== undefined) {
        action();
        return true;
      }
      if (!editor.handle(key)) return false;
      complaint = undefined;
      menu = undefined;
      asked += 1;
      return true;
    },
  };
}
