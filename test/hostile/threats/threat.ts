/** One way to do harm, by its number in our catalogue of attacks where it has one; what stands against it; and the tests that try it. */
export interface Threat {
  readonly id: string;
  readonly threat: string;
  readonly defence: string;
  readonly shownBy: readonly { readonly attack: string; readonly file: string; readonly test: string }[];
}
