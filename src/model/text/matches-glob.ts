/** Returns whether text matches a pattern. `*` matches any text; `anyOne`, if set, matches any single character. */
export function matchesGlob(pattern: string, text: string, anyOne = ""): boolean {
  const first = pattern.indexOf("*");
  if (anyOne === "" && first === -1) return pattern === text;
  if (anyOne === "" && first === pattern.length - 1) return text.startsWith(pattern.slice(0, first)); // the usual case
  let at = 0;
  let next = 0;
  // Backtracking only needs the last star and the end of the text that it matches so far.
  let star = -1;
  let consumed = 0;
  while (at < text.length) {
    const char = pattern.charAt(next);
    if (char === "*") {
      star = next;
      consumed = at;
      next += 1;
    } else if (char !== "" && (char === anyOne || char === text.charAt(at))) {
      at += 1;
      next += 1;
    } else if (star === -1) return false;
    else {
      consumed += 1;
      at = consumed;
      next = star + 1;
    }
  }
  return /^\**$/.test(pattern.slice(next));
}
