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
  /**
   * Messages quote nothing from a file that a link out of this folder points to. Without a folder, this applies to
   * every link.
   */
  readonly folder: string | undefined;
  /** Files after the one that exceeded a limit are not read. */
  isSpent = false;

  constructor(folder?: string) {
    this.folder = folder;
  }

  /** Returns why a file must not be parsed; `undefined` if it may be, and then it counts. */
  spend(bytes: number, marks: number): string | undefined {
    if (marks > MAX_MARKS_IN_FILE)
      return "is ignored: it has more than 25,000 brackets, commas, colons and other marks between values";
    this.#bytes -= bytes;
    this.#marks -= marks;
    if (this.#bytes >= 0 && this.#marks >= 0) return undefined;
    this.isSpent = true;
    const limit = this.#bytes < 0 ? "be 4 MB long" : "have 50,000 brackets, commas, colons and other marks";
    return `is ignored, as are the files read after it: the config files of a project may ${limit} in total`;
  }
}
