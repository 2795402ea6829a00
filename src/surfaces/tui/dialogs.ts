/** What the person said: a value, one step back, or Esc. */
export type Answer<T> =
  | { readonly kind: "value"; readonly value: T }
  | { readonly kind: "back" }
  | { readonly kind: "cancel" };

export interface Question {
  /** One line. */
  readonly title: string;
  /** What the person should know before answering. */
  readonly lines?: readonly string[];
  /** There is a step before this one to go back to. */
  readonly canGoBack?: boolean;
  /** It comes up by itself: keys count only after a pause, because they were meant for something else. */
  readonly isUnexpected?: boolean;
  /** Takes the question away when it fires; the answer is then `cancel`. */
  readonly signal?: AbortSignal;
}

export interface Choice<T> {
  readonly value: T;
  readonly label: string;
  readonly note?: string;
  /** One key that picks it at once, e.g. `y`. */
  readonly key?: string;
}

export interface ChooseQuestion<T> extends Question {
  readonly choices: readonly Choice<T>[];
  /** Where the mark stands at first; the first choice if not given. */
  readonly initial?: T;
}

export interface ChooseManyQuestion<T> extends Question {
  readonly choices: readonly Choice<T>[];
  readonly initial?: readonly T[];
  /** A complaint about the choice, or nothing. */
  check?(values: readonly T[]): string | undefined;
}

export interface TextQuestion extends Question {
  readonly initial?: string;
  /** Shown dimmed while nothing is typed. */
  readonly placeholder?: string;
  /** What is typed is not shown. */
  readonly isHidden?: boolean;
  /** A complaint about the text, or nothing. */
  check?(text: string): string | undefined;
  /** What could stand there instead of the text. */
  complete?(text: string): Promise<readonly string[]>;
}

/** The ways to ask the person at the terminal. */
export interface Dialogs {
  choose<T>(question: ChooseQuestion<T>): Promise<Answer<T>>;
  chooseMany<T>(question: ChooseManyQuestion<T>): Promise<Answer<readonly T[]>>;
  askText(question: TextQuestion): Promise<Answer<string>>;
}
