import { memoize, type Server } from "../../model/index.ts";
import type { Workspace } from "../workspace.ts";
import { hasSessionHeaders } from "./session-headers.ts";

/**
 * Programs that keep state between calls, such as a browser's page or a terminal's folder. Two agents of one person must not share
 * them.
 */
const STATEFUL: readonly RegExp[] = [
  /^@playwright\/mcp$/,
  /^@executeautomation\/playwright-mcp-server$/,
  /^@modelcontextprotocol\/server-puppeteer$/,
  /^@modelcontextprotocol\/server-sequential-thinking$/,
  /^chrome-devtools-mcp$/,
  /^@browsermcp\/mcp$/,
  /^@wonderwhy-er\/desktop-commander$/,
  /^(?:@.+\/)?(?:mcp-)?(?:server-)?(?:browser-use|browser|playwright|puppeteer|terminal|tmux|repl|shell)(?:-mcp)?(?:-server)?$/,
];

/** Returns who shares a connection to a server: all sessions of a person, or only one. */
export const shareOf: (server: Server) => "session" | "user" = memoize(({ share, launch }) => {
  if (share !== undefined) return share;
  if (launch?.transport !== "stdio") return "user";
  const words = [launch.command, ...launch.args].map((word) => word.replace(/(?<=.)@[^/]*$/, ""));
  return words.some((word) => STATEFUL.some((pattern) => pattern.test(word))) ? "session" : "user";
});

/** Returns whether a server is an object of the program, which has only one connection at a time. */
export function isServerObject({ launch }: Server): boolean {
  return launch?.transport === "in-process" && "server" in launch.source;
}

/**
 * Returns whether a session has its own connection to a server. The host's own user shares connections unless the entry says
 * otherwise, because commands and sessions of one person work on the same things.
 */
export function isSessionOwned(
  workspace: Pick<Workspace, "principal" | "headers" | "inventory">,
  name: string,
): boolean {
  if (hasSessionHeaders(workspace, name)) return true;
  const server = workspace.inventory().servers.get(name);
  if (server === undefined || isServerObject(server)) return false;
  return (workspace.principal === undefined ? server.share : shareOf(server)) === "session";
}
