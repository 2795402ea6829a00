import type { Style } from "../shared/render/style.ts";
import type { Dialogs } from "./dialogs.ts";

/** The terminal in interactive mode: finished text scrolls up, what still changes stays below it, above the input. */
export interface Screen {
  /** What the terminal is wide now; it changes when the window does. */
  readonly columns: number;
  readonly style: Style;
  /** For asking the person something; one question is shown at a time, the others wait. */
  readonly dialogs: Dialogs;
  /** Finished text. Colours stay, any other control character does not reach the terminal. */
  print(text: string, options?: PrintOptions): void;
  /** A place for lines that change: a running call, an answer that still streams. */
  openBlock(): LiveBlock;
  /** What stands at the right end of the status line, such as the model's name. */
  setAside(text: string): void;
}

export interface PrintOptions {
  /** Text that takes more rows than these is shown by its beginning; a key opens the rest. */
  readonly foldAfter?: number;
}

/** Lines that change until they are finished. */
export interface LiveBlock {
  /** Shown in place of what it showed before. */
  show(lines: readonly string[]): void;
  /** Takes the lines away; what is given is printed as finished text in the same step. */
  end(text?: string, options?: PrintOptions): void;
}
