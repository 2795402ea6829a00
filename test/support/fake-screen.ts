import { createStyle } from "../../src/surfaces/shared/render/style.ts";
import type { Answer, Dialogs, TextQuestion } from "../../src/surfaces/tui/dialogs.ts";
import type { LiveBlock, Screen } from "../../src/surfaces/tui/screen.ts";

export interface FakeScreen extends Screen {
  /** The printed texts. */
  readonly printed: string[];
  /** The content of the blocks after each change. */
  readonly shown: string[];
  /** The current content of the blocks. */
  live(): string[];
  readonly asked: TextQuestion[];
  aside: string;
}

/** A screen that records its output. `answers` are what the user types, in order, and then Esc. */
export function createFakeScreen(answers: readonly Answer<string>[] = []): FakeScreen {
  const blocks = new Map<LiveBlock, readonly string[]>();
  const printed: string[] = [];
  const shown: string[] = [];
  const asked: TextQuestion[] = [];
  const left = [...answers];
  const dialogs: Dialogs = {
    choose: () => Promise.reject(new Error("nobody chooses here")),
    chooseMany: () => Promise.reject(new Error("nobody chooses here")),
    openPanel: () => Promise.reject(new Error("nobody looks at a panel here")),
    async askText(question) {
      asked.push(question);
      return left.shift() ?? { kind: "cancel" };
    },
  };
  const screen: FakeScreen = {
    columns: 80,
    style: createStyle(false),
    dialogs,
    printed,
    shown,
    asked,
    aside: "",
    live: () => [...blocks.values()].flat(),
    print: (text) => void printed.push(text),
    openBlock() {
      const block: LiveBlock = {
        show(lines) {
          blocks.set(block, lines);
          shown.push(lines.join("\n"));
        },
        end(text) {
          blocks.delete(block);
          if (text !== undefined && text !== "") printed.push(text);
        },
      };
      blocks.set(block, []);
      return block;
    },
    setAside(text = "") {
      screen.aside = text;
    },
  };
  return screen;
}
