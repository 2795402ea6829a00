import { expect, test } from "vitest";
import type { Server } from "../../model/index.ts";
import { shareOf } from "./share.ts";

function serverWith(line: string, share?: "session" | "user"): Server {
  const [command, ...args] = line.split(" ");
  return { launch: { transport: "stdio", command, args }, ...(share && { share }) } as unknown as Server;
}

test.each([
  "npx -y @playwright/mcp@latest --headless",
  "npx @executeautomation/playwright-mcp-server",
  "npx -y @modelcontextprotocol/server-puppeteer@1.0.0",
  "npx -y @modelcontextprotocol/server-sequential-thinking",
  "npx chrome-devtools-mcp@latest",
  "npx @browsermcp/mcp@latest",
  "npx @agent-infra/mcp-server-browser",
  "uvx browser-use",
  "uvx mcp-server-browser-use",
  "npx -y @wonderwhy-er/desktop-commander@0.2.3",
  "npx mcp-terminal",
  "npx tmux-mcp",
  "npx @someone/mcp-shell-server",
  "uvx mcp-repl",
])("%s keeps one process per client", (line) => {
  expect(shareOf(serverWith(line))).toBe("session");
});

test.each([
  "npx -y @modelcontextprotocol/server-filesystem /work",
  "npx -y @modelcontextprotocol/server-memory",
  "uvx mcp-server-git",
  "npx @someone/playwright-mcp-docs",
  "node shellfish.js",
])("%s is shared by the user's clients", (line) => {
  expect(shareOf(serverWith(line))).toBe("user");
});

test("the entry decides, whatever the table says", () => {
  expect(shareOf(serverWith("npx @playwright/mcp", "user"))).toBe("user");
  expect(shareOf(serverWith("node server.js", "session"))).toBe("session");
  expect(shareOf({ launch: { transport: "http" } } as unknown as Server)).toBe("user");
});
