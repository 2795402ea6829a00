import type { Style } from "../../shared/render/style.ts";
import type { Completions } from "../line-handler.ts";
import { type CompletionMenu, createCompletionMenu } from "./completion-menu.ts";
import { createEditor } from "./editor.ts";
import { layoutText } from "./editor-layout.ts";
import { createHistory } from "./history.ts";
import { type Key, keyLabel } from "./key.ts";
import { createPastes } from "./pastes.ts";
import { firstShown, type Panel, type View } from "./view.ts";
import { cut } from "./wrap.ts";

export interface LineInputOptions {
  readonly style: Style;
  /** Shown while the input is empty. */
  readonly placeholder: string;
  /** Called with a complete line. Pasted text is included. */
  onLine(line: string): void;
  /** Edits the lines that wait to run. */
  readonly queue?: LineQueue;
  /** Whether the menu of completions is small. */
  readonly isCompact?: boolean;
  complete(line: string, cursor: number, signal: AbortSignal): Promise<Completions | undefined>;
  /** Called when the view changes without a key, for example when completions arrive. */
  onChange(): void;
}

/** The lines that wait to run, as the input edits them. */
export interface LineQueue {
  /**
   * Takes the line before or after the edited one out of the queue, or the newest one if none is edited. The edited line goes back
   * to its place. Returns `undefined` if there is no such line.
   */
  take(step: -1 | 1, edited: string): string | undefined;
  /** The next line is a new one. An edited line that is still in the input is dropped. */
  stopEditing(): void;
}

/** The input line with history and completion. */
export interface LineInput extends Panel {
  readonly isEmpty: boolean;
  clear(): void;
  /** Puts lines that did not run before the current text. A command goes to the history, unless it is the only line. */
  putBack(lines: readonly string[]): void;
}

const PROMPT = "› ";
const MENU_ROWS = 8;
const EDITOR_ROWS = 12;
/** A completion that ends like this is not followed by a space. */
const WORD_CONTINUES = /[\s:=/]$/;

export function createLineInput({
  style,
  placeholder,
  onLine,
  queue,
  isCompact = false,
  complete,
  onChange,
}: LineInputOptions): LineInput {
  const pastes = createPastes();
  const editor = createEditor({ isMultiLine: true, fold: pastes.fold });
  const history = createHistory();
  let menu: CompletionMenu | undefined;
  let asking: AbortController | undefined;
  let columns = 80;
  /** A waiting line that was put into the input and is not changed yet. */
  let taken: string | undefined;

  const closeMenu = (): void => {
    asking?.abort();
    asking = undefined;
    menu = undefined;
  };
  const insertCompletion = (text: string): void => {
    const ends = editor.cursor === editor.text.length && !WORD_CONTINUES.test(text) ? " " : "";
    editor.replace(menu?.from ?? editor.cursor, editor.cursor, text + ends);
    suggest();
  };
  /** Requests completions. Results of an older request are ignored. */
  const ask = async (onAnswer: (menu: CompletionMenu | undefined) => void): Promise<void> => {
    asking?.abort();
    const own = new AbortController();
    asking = own;
    const { text, cursor } = editor;
    try {
      const found = await complete(text, cursor, own.signal);
      if (own.signal.aborted) return;
      onAnswer(found && createCompletionMenu(found, isCompact));
      onChange();
    } catch {
      if (!own.signal.aborted) closeMenu(); // completions are optional
    }
  };
  /** Shows completions while the user types a command or a mention. */
  const suggest = (): void => {
    const before = editor.text.slice(0, editor.cursor);
    if (!/^\/[^\n]*$|(?:^|\s)@\S*$/.test(before)) return closeMenu();
    if (menu !== undefined && !menu.chosen.startsWith(before.slice(menu.from))) menu = undefined;
    void ask((found) => {
      // Do not show a menu for text that is already complete.
      menu = found?.length === 1 && before.slice(found.from) === found.chosen ? undefined : found;
    });
  };
  const completeNow = (): void => {
    if (menu !== undefined) return insertCompletion(menu.chosen);
    void ask((found) => {
      menu = found;
      if (found?.length === 1) insertCompletion(found.chosen);
      else if (found !== undefined && found.from + found.beginning.length > editor.cursor)
        editor.replace(found.from, editor.cursor, found.beginning);
    });
  };
  const recall = (line: string | undefined): void => {
    if (line === undefined) return;
    editor.reset(line);
    closeMenu();
  };
  const enter = (): void => {
    if (menu?.wasMoved) return insertCompletion(menu.chosen);
    if (editor.text.endsWith("\\") && editor.cursor === editor.text.length) {
      editor.replace(editor.cursor - 1, editor.cursor, "\n");
      return;
    }
    const line = editor.text;
    closeMenu();
    history.add(line);
    editor.reset("");
    taken = undefined;
    if (line.trim() !== "") onLine(pastes.unfold(line));
    queue?.stopEditing();
  };
  const vertical = (step: -1 | 1): void => {
    if (menu !== undefined) return menu.move(step);
    if (editor.moveVertically(step, columns - PROMPT.length, pastes.label)) return;
    const isUnchanged = taken !== undefined && editor.text === taken;
    const isFree = step === -1 && editor.text === "";
    const waiting = isUnchanged || isFree ? queue?.take(step, editor.text) : undefined;
    if (waiting !== undefined) taken = waiting;
    else if (isUnchanged) return;
    recall(waiting ?? (step === -1 ? history.earlier(editor.text) : history.later()));
  };
  const bindings: Readonly<Record<string, () => void>> = {
    enter,
    tab: completeNow,
    "shift+tab": () => menu?.move(-1),
    up: () => vertical(-1),
    down: () => vertical(1),
    "ctrl+p": () => vertical(-1),
    "ctrl+n": () => vertical(1),
  };

  return {
    get isEmpty() {
      return editor.text === "";
    },
    clear() {
      closeMenu();
      history.forget();
      queue?.stopEditing();
      taken = undefined;
      editor.reset("");
    },
    putBack(lines) {
      if (lines.length === 0) return;
      const [only] = lines.length === 1 && editor.text === "" ? lines : [];
      const messages = lines.filter((line) => !/^[/!]/.test(line));
      for (const line of lines) history.add(line);
      const text = only ?? [...messages, ...(editor.text === "" ? [] : [editor.text])].join("\n");
      closeMenu();
      editor.reset(text);
    },
    handle(key: Key) {
      const label = keyLabel(key);
      if (label === "escape" && menu !== undefined) {
        closeMenu();
        return true;
      }
      const action = bindings[label];
      if (action !== undefined) {
        action();
        return true;
      }
      const before = editor.text;
      if (!editor.handle(key)) return false;
      if (editor.text !== before) history.forget();
      suggest();
      return true;
    },
    view(width, rows) {
      columns = width;
      const { rows: lines, cursor } = layoutText(
        editor.text,
        editor.cursor,
        width - PROMPT.length,
        pastes.label,
      );
      const room = Math.max(1, Math.min(EDITOR_ROWS, rows - (menu === undefined ? 0 : 1)));
      const first = firstShown(lines.length, room, cursor.row);
      const shown = lines.slice(first, first + room).map(({ shown: text, start }, index) => {
        const isFirst = first + index === 0;
        const words =
          isFirst && editor.text === "" ? style.dim(cut(placeholder, width - PROMPT.length)) : text;
        return `${isFirst && start === 0 ? style.name(PROMPT) : "  "}${words}`;
      });
      const items = menu?.view(width, Math.min(MENU_ROWS, rows - shown.length), style) ?? [];
      const view: View = {
        rows: [...shown, ...items],
        cursor: { row: cursor.row - first, column: cursor.column + PROMPT.length },
      };
      return view;
    },
  };
}
