import type { SourceDocument } from "./provider.ts";

/** Returns whether the text is strict JSON, without comments or trailing commas. */
export function isStrictJson({ text }: SourceDocument): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
