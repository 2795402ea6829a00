import type { OwnerProblemCode, OwnerVerdict } from "../model/index.ts";

/** Collects the problems that the owner of a file would have with one entry. */
export class Verdict {
  #valid = true;
  readonly #problems: OwnerProblemCode[] = [];

  /** Records a problem that makes the owner reject the entry. */
  refuse(code: OwnerProblemCode): void {
    this.#valid = false;
    this.note(code);
  }

  /** Records a problem that the owner tolerates. */
  note(code: OwnerProblemCode): void {
    if (!this.#problems.includes(code)) this.#problems.push(code);
  }

  result(): OwnerVerdict {
    return { valid: this.#valid, problems: this.#problems };
  }
}
