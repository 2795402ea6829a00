/** Packages of well-known servers, which others may imitate. */
const KNOWN: readonly string[] = [
  ...`everything filesystem memory sequential-thinking github gitlab slack postgres puppeteer brave-search google-maps
  gdrive redis sqlite`
    .split(/\s+/)
    .map((name) => `@modelcontextprotocol/server-${name}`),
  "@modelcontextprotocol/inspector",
  "@modelcontextprotocol/sdk",
  "@playwright/mcp",
  "@upstash/context7-mcp",
  "@cyanheads/git-mcp-server",
  "@notionhq/notion-mcp-server",
  "@stripe/mcp",
  "@sentry/mcp-server",
  "@supabase/mcp-server-supabase",
  "@azure/mcp",
  "chrome-devtools-mcp",
  "figma-developer-mcp",
  "firecrawl-mcp",
  "exa-mcp-server",
  "tavily-mcp",
  "mcp-remote",
  "mcp-server-kubernetes",
  "mcp-server-fetch",
  "mcp-server-git",
  "mcp-server-time",
];
const SHORTEST_FOR_EDITS = 9;

/** Returns the well-known server package that a name resembles without being it. */
export function resembledPackage(name: string): string | undefined {
  const given = name.toLowerCase();
  if (KNOWN.includes(given)) return undefined;
  return KNOWN.find(
    (known) =>
      skeleton(known) === skeleton(given) ||
      (known.length >= SHORTEST_FOR_EDITS && isOneEditApart(known, given)),
  );
}

/** Reduces characters that look alike, separators and the scope's marks. */
function skeleton(text: string): string {
  return text
    .replaceAll("0", "o")
    .replaceAll(/[1i|]/g, "l")
    .replaceAll("5", "s")
    .replaceAll("rn", "m")
    .replaceAll("vv", "w")
    .replaceAll(/[-_.@/]/g, "");
}

/** Returns whether one letter is replaced, missing, added, or swapped with the next one. */
function isOneEditApart(left: string, right: string): boolean {
  if (Math.abs(left.length - right.length) > 1) return false;
  let start = 0;
  while (start < left.length && left[start] === right[start]) start += 1;
  const [a, b] = [left.slice(start), right.slice(start)];
  if (a.slice(1) === b.slice(1) || a.slice(1) === b || a === b.slice(1)) return true;
  return a.slice(2) === b.slice(2) && a[0] === b[1] && a[1] === b[0];
}
