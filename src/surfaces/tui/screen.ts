import type { Style } from "../shared/render/style.ts";
import type { Dialogs } from "./dialogs.ts";

/** The terminal in interactive mode. Finished text scrolls up; live blocks stay between it and the input line. */
export interface Screen {
  /** Whether text is only added at the end, and nothing is painted again. Panels are not shown then. */
  readonly isLinear?: boolean;
  /** The current width of the terminal. It changes when the window is resized. */
  readonly columns: number;
  readonly style: Style;
  /** Asks the user questions, one at a time. Further questions wait in a queue. */
  readonly dialogs: Dialogs;
  /** Prints finished text. Removes all control sequences except colours. */
  print(text: string, options?: PrintOptions): void;
  /** Opens a block for lines that change, such as a running call or a streamed answer. */
  openBlock(options?: BlockOptions): LiveBlock;
  /** Sets the text at the right end of the status line, such as the model's name. The first form that fits is shown. */
  setAside(...forms: readonly string[]): void;
}

export interface PrintOptions {
  /** The number of rows after which the text is collapsed. A key expands it. */
  readonly foldAfter?: number;
}

export interface BlockOptions {
  /** Whether the block shows the beginning of text that is printed once it is complete. */
  readonly isPreview?: boolean;
}

/** A block of lines that can change until it ends. */
export interface LiveBlock {
  /** Replaces the lines of the block. */
  show(lines: readonly string[]): void;
  /** Removes the block and prints `text`, if given, as finished text. */
  end(text?: string, options?: PrintOptions): void;
}
