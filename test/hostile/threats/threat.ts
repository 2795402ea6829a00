/** A test that performs an attack. */
export interface Attempt {
  readonly attack: string;
  readonly file: string;
  /** The exact title of the test. */
  readonly test: string;
  /** The last commit without the fix, at which this test fails. `npm run prove` checks this. */
  readonly failsBefore?: string;
}

/** One threat, its defence, and the tests that attack it. */
export interface Threat {
  /** `S` and `A`: the number in the catalogue of attacks. `P`: not in the catalogue. */
  readonly id: string;
  readonly threat: string;
  readonly defence: string;
  readonly shownBy: readonly Attempt[];
}
