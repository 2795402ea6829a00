import type { SourceDocument } from "./provider.ts";

/** Would a parser that knows neither comments nor trailing commas read it? */
export function isStrictJson({ text }: SourceDocument): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
