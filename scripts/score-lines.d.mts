import type { Entry } from "./judge-score.mjs";

export const THEMES: readonly {
  readonly theme: string;
  readonly lines: readonly (Entry & { readonly tests: readonly string[] })[];
}[];
