import type { Panel } from "./screen/view.ts";

/** The user's answer: a value, one step back, or Esc. */
export type Answer<T> =
  | { readonly kind: "value"; readonly value: T }
  | { readonly kind: "back" }
  | { readonly kind: "cancel" };

export interface Question {
  /** One line. */
  readonly title: string;
  /** Information shown above the answer. */
  readonly lines?: readonly string[];
  /** Whether the user can go back to a previous step. */
  readonly canGoBack?: boolean;
  /**
   * The question appears without a user action. Keys are ignored until a pause, because they were meant for other
   * input.
   */
  readonly isUnexpected?: boolean;
  /** Closes the question when aborted. The answer is then `cancel`. */
  readonly signal?: AbortSignal;
}

export interface Choice<T> {
  readonly value: T;
  readonly label: string;
  readonly note?: string;
  /** A key that picks this choice immediately, for example `y`. */
  readonly key?: string;
}

export interface ChooseQuestion<T> extends Question {
  readonly choices: readonly Choice<T>[];
  /** The choice selected at first. Default: the first one. */
  readonly initial?: T;
}

export interface ChooseManyQuestion<T> extends Question {
  readonly choices: readonly Choice<T>[];
  readonly initial?: readonly T[];
  /** Returns an error message for an invalid selection. */
  check?(values: readonly T[]): string | undefined;
}

export interface TextQuestion extends Question {
  readonly initial?: string;
  /** Shown dimmed while the input is empty. */
  readonly placeholder?: string;
  /** An example of an answer, shown in place of a placeholder. */
  readonly example?: string;
  /** Whether the input is hidden. */
  readonly isHidden?: boolean;
  /** Returns an error message for an invalid text. */
  check?(text: string): string | undefined;
  /** Returns completions that replace the text. */
  complete?(text: string): Promise<readonly string[]>;
}

/** The functions that a panel uses to close itself and to show changes. */
export interface PanelTools<T> {
  answer(answer: Answer<T>): void;
  repaint(): void;
}

/** The dialogs that ask the user a question. */
export interface Dialogs {
  choose<T>(question: ChooseQuestion<T>): Promise<Answer<T>>;
  chooseMany<T>(question: ChooseManyQuestion<T>): Promise<Answer<readonly T[]>>;
  askText(question: TextQuestion): Promise<Answer<string>>;
  /** Shows a panel until it gives an answer. */
  openPanel<T>(open: (tools: PanelTools<T>) => Panel, signal: AbortSignal): Promise<Answer<T>>;
}
