import type { JsonObject } from "../../../index.ts";

/** A well-known server that can be added by name alone. Versions are pinned and updated here. */
export interface KnownServer {
  readonly summary: string;
  /** The arguments that can follow the name; they are passed to the program. */
  readonly takes?: string;
  readonly server: JsonObject;
  /** Required environment variables. */
  readonly needs?: readonly string[];
}

const npx = (pkg: string, ...args: readonly string[]): JsonObject => ({
  type: "stdio",
  command: "npx",
  args: ["-y", pkg, ...args],
});

export const KNOWN_SERVERS: Readonly<Record<string, KnownServer>> = {
  filesystem: {
    summary: "read and write files in the folders you name",
    takes: "<folder> …",
    server: npx("@modelcontextprotocol/server-filesystem@2026.8.31"),
  },
  memory: {
    summary: "a small knowledge graph that is kept between sessions",
    server: npx("@modelcontextprotocol/server-memory@2026.8.31"),
  },
  "sequential-thinking": {
    summary: "a scratch pad for thinking step by step",
    server: npx("@modelcontextprotocol/server-sequential-thinking@2026.8.31"),
  },
  everything: {
    summary: "an example of every MCP feature, for testing clients",
    server: npx("@modelcontextprotocol/server-everything@2026.8.31"),
  },
  git: {
    summary: "status, diff, commit and log of a repository",
    server: npx("@cyanheads/git-mcp-server@2.15.3"),
  },
  "brave-search": {
    summary: "search the web with Brave",
    server: {
      ...npx("@modelcontextprotocol/server-brave-search@0.6.2"),
      env: { BRAVE_API_KEY: "${BRAVE_API_KEY}" },
    },
    needs: ["BRAVE_API_KEY"],
  },
  playwright: { summary: "control a browser", server: npx("@playwright/mcp@0.0.83") },
  "chrome-devtools": { summary: "inspect a running Chrome", server: npx("chrome-devtools-mcp@1.11.0") },
  context7: { summary: "library documentation", server: npx("@upstash/context7-mcp@4.1.1") },
  notion: {
    summary: "Notion pages and databases",
    server: { ...npx("@notionhq/notion-mcp-server@2.5.2"), env: { NOTION_TOKEN: "${NOTION_TOKEN}" } },
    needs: ["NOTION_TOKEN"],
  },
};
