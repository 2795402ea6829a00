/** The test that shows a promise: a file relative to the repository root, the exact title of a test in it. */
export interface ShownBy {
  readonly file: string;
  readonly test: string;
}

/** One promise of a seed document. */
export interface SeedRow {
  /** Seed, section number and running number: "omp-2.07". Never reused or renumbered. */
  readonly id: string;
  /** The heading in the seed document. */
  readonly section: string;
  readonly kind: "message" | "rule" | "name" | "number" | "command";
  /** One sentence in our own words; messages, names and numbers to the letter. */
  readonly promise: string;
  /** The milestone that delivers it. */
  readonly milestone: 1 | 2 | 3 | 4 | 5 | 6 | 7;
  /** Present means done. */
  readonly shownBy?: ShownBy;
  /** Where Plugboard deliberately differs or goes further. */
  readonly deviation?: string;
}

export function inSection(section: string, rows: readonly Omit<SeedRow, "section">[]): readonly SeedRow[] {
  return rows.map((row) => ({ ...row, section }));
}
