const MEGABYTE = 1024 * 1024;
const MAX_MARKS_IN_FILE = 25_000;
const MAX_BYTES = 4 * MEGABYTE;
const MAX_MARKS = 50_000;

/**
 * The total limit for the config files of one project. They are read before the user has approved anything, so they
 * must not keep the process busy. Marks are the punctuation between values; their number estimates the cost of parsing.
 */
export class ProjectBudget {
  #bytes = MAX_BYTES;
  #marks = MAX_MARKS;
  /** Whether a file exceeded a limit. No more files are read then. */
  isSpent = false;

  /** Charges a file to the budget. Returns why it must not be parsed, or `undefined` if it may be. */
  spend(bytes: number, marks: number): string | undefined {
    if (marks > MAX_MARKS_IN_FILE)
      return "is ignored: it has more than 25,000 brackets, commas, colons and other marks between values";
    this.#bytes -= bytes;
    this.#marks -= marks;
    if (this.#bytes >= 0 && this.#marks >= 0) return undefined;
    this.isSpent = true;
    const limit = this.#bytes < 0 ? "be 4 MB long" : "have 50,000 brackets, commas, colons and other marks";
    return `is ignored, as are the files read after it: the config files of a project may ${limit} in all`;
  }
}
