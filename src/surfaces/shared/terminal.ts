import type { Style } from "./render/style.ts";

/** Where a command's words go, and who might be reading them. */
export interface Terminal {
  /** Results: text, or bytes as they are. */
  out(text: string | Uint8Array): void;
  /** Everything else. */
  err(text: string): void;
  readonly outIsTty: boolean;
  errIsTty(): boolean;
  readonly columns: number;
  /** For what goes to `out`. */
  style(color: boolean): Style;
  errStyle(color: boolean): Style;
  readonly home: string;
  /** Whether a person can type an answer. */
  canAnswer(): boolean;
  /** A yes or no from the person; `undefined` where nobody can answer. */
  confirm(question: string): Promise<boolean | undefined>;
  /** One line that the person types or a script sends; `undefined` where none comes. */
  readLine(question: string, signal: AbortSignal): Promise<string | undefined>;
  /** A line that stands until the next one takes its place; nothing takes it away. Only a person sees it. */
  showProgress(line: string | undefined): void;
  /** What calls off what is running. */
  readonly cancelKey: string;
  readAllInput(): Promise<string>;
  /** What nobody should see: one line typed unseen, or all that a script sends but for the end of its last line. */
  readHidden(question: string, signal: AbortSignal): Promise<string | undefined>;
}
