import type { Style } from "./render/style.ts";

/** The input and output of a command. */
export interface Terminal {
  /** Writes results to standard output: text, or raw bytes. */
  out(text: string | Uint8Array): void;
  /** Writes everything else to standard error. */
  err(text: string): void;
  readonly outIsTty: boolean;
  errIsTty(): boolean;
  readonly columns: number;
  /** Returns the style for text written with `out`. */
  style(color: boolean): Style;
  errStyle(color: boolean): Style;
  readonly home: string;
  /** Whether the user can type an answer. */
  canAnswer(): boolean;
  /** Asks a yes/no question. Resolves with `undefined` if there is no terminal to ask on. */
  confirm(question: string): Promise<boolean | undefined>;
  /** Asks to choose one of the labels. Resolves with its index, or with `false` for none. Omitted if the command should use `readLine`. */
  choose?(question: string, labels: readonly string[]): Promise<number | false>;
  /** Reads one line from the terminal or a script. Resolves with `undefined` if the input ends. */
  readLine(question: string, signal: AbortSignal): Promise<string | undefined>;
  /** Shows a progress line in place of the previous one; `undefined` clears it. Only shown on a terminal. */
  showProgress(line: string | undefined): void;
  /** The key that cancels the running command, as shown in help. */
  readonly cancelKey: string;
  readAllInput(): Promise<string>;
  /** Reads a secret: one hidden line on a terminal, or all input of a script without the final line break. */
  readHidden(question: string, signal: AbortSignal): Promise<string | undefined>;
}
