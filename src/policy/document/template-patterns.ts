import { matchesGlob } from "../../model/index.ts";

/** Stands for what a client fills in. Only `*` matches it, because it can become any text. */
const FILLED_IN = "\uE000";

/** How a pattern relates to the URIs of a template: to all of them, to some, or to none. */
export function matchTemplate(pattern: string, template: string): "all" | "some" | "none" {
  const text = template.replace(/\{[^{}]*\}/g, FILLED_IN);
  if (matchesGlob(pattern, text)) return "all";
  return overlap(pattern, text) ? "some" : "none";
}

/** Returns whether a text fits both a pattern with `*` and a template with filled-in parts. */
function overlap(pattern: string, template: string): boolean {
  let reachable = new Set([0]);
  const skipStars = (positions: Set<number>): Set<number> => {
    for (const at of positions) if (pattern.charAt(at) === "*") positions.add(at + 1);
    return positions;
  };
  skipStars(reachable);
  for (const char of template) {
    const next = new Set<number>();
    for (const at of reachable) {
      if (char === FILLED_IN) for (let end = at; end <= pattern.length; end += 1) next.add(end);
      else if (pattern.charAt(at) === "*") next.add(at);
      else if (pattern.charAt(at) === char) next.add(at + 1);
    }
    reachable = skipStars(next);
  }
  return reachable.has(pattern.length);
}
