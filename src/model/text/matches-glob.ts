/** Does a pattern with `*` for any text fit? `anyOne` is the character that stands for any single one, if there is one. */
export function matchesGlob(pattern: string, text: string, anyOne = ""): boolean {
  const first = pattern.indexOf("*");
  if (anyOne === "" && first === -1) return pattern === text;
  if (anyOne === "" && first === pattern.length - 1) return text.startsWith(pattern.slice(0, first)); // most patterns
  let at = 0;
  let next = 0;
  // Where the last star was, and how much of the text it takes so far: no need to look further back than that.
  let star = -1;
  let taken = 0;
  while (at < text.length) {
    const char = pattern.charAt(next);
    if (char === "*") {
      star = next;
      taken = at;
      next += 1;
    } else if (char !== "" && (char === anyOne || char === text.charAt(at))) {
      at += 1;
      next += 1;
    } else if (star === -1) return false;
    else {
      taken += 1;
      at = taken;
      next = star + 1;
    }
  }
  return /^\**$/.test(pattern.slice(next));
}
