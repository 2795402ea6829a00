/** Publishers that attackers may imitate: the parts before the `/` of registry names. */
const KNOWN: readonly string[] = [
  "io.modelcontextprotocol",
  "io.github.modelcontextprotocol",
  "io.github.github",
  "io.github.microsoft",
  "io.github.upstash",
  "io.github.cloudflare",
  "com.microsoft",
  "com.notion",
  "com.atlassian",
  "com.stripe",
  "com.figma",
  "com.vercel",
  "com.supabase",
  "com.paypal",
  "com.cloudflare",
  "com.google",
  "app.linear",
  "io.sentry",
];

/** Returns the well-known publisher that a name resembles without being it. */
export function resembledPublisher(name: string): string | undefined {
  const [publisher = ""] = name.toLowerCase().split("/");
  if (KNOWN.includes(publisher)) return undefined;
  return KNOWN.find(
    (known) => skeleton(known) === skeleton(publisher) || (known.length >= 10 && isOneEdit(known, publisher)),
  );
}

/** Reduces characters that look alike to one of them. */
function skeleton(text: string): string {
  return text
    .replaceAll("0", "o")
    .replaceAll(/[1i|]/g, "l")
    .replaceAll("5", "s")
    .replaceAll("rn", "m")
    .replaceAll("vv", "w")
    .replaceAll(/[-_.]/g, "");
}

/** Returns whether one letter is replaced, missing, added, or swapped with the next one. */
function isOneEdit(left: string, right: string): boolean {
  if (Math.abs(left.length - right.length) > 1) return false;
  let start = 0;
  while (start < left.length && left[start] === right[start]) start += 1;
  const [a, b] = [left.slice(start), right.slice(start)];
  if (a.slice(1) === b.slice(1) || a.slice(1) === b || a === b.slice(1)) return true;
  return a.slice(2) === b.slice(2) && a[0] === b[1] && a[1] === b[0];
}
