import { findLookAlike } from "../model/index.ts";

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
  return findLookAlike(name.toLowerCase(), KNOWN, SHORTEST_FOR_EDITS);
}
