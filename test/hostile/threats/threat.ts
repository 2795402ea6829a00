/** A test that makes an attack. */
export interface Attempt {
  readonly attack: string;
  readonly file: string;
  readonly test: string;
  /** The commit before the fix, where this test fails; `npm run prove` shows it. */
  readonly failsBefore?: string;
}

/** One way to do harm, by its number in our catalogue of attacks where it has one; what stands against it; and the tests that try it. */
export interface Threat {
  readonly id: string;
  readonly threat: string;
  readonly defence: string;
  readonly shownBy: readonly Attempt[];
}
