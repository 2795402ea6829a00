import type { OwnerProblemCode, OwnerVerdict } from "../model/index.ts";

/** Gathers what the owner of a file would hold against one entry. */
export class Verdict {
  #valid = true;
  readonly #problems: OwnerProblemCode[] = [];

  /** It would not load the entry. */
  refuse(code: OwnerProblemCode): void {
    this.#valid = false;
    this.note(code);
  }

  /** It would load the entry all the same. */
  note(code: OwnerProblemCode): void {
    if (!this.#problems.includes(code)) this.#problems.push(code);
  }

  result(): OwnerVerdict {
    return { valid: this.#valid, problems: this.#problems };
  }
}
