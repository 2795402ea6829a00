import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { findFreePort } from "./find-free-port.ts";

const { resolve } = createRequire(import.meta.url);
const STOP_MS = 2_000;

/** A config entry of a stdio server. */
export interface StdioEntry {
  readonly command: string;
  readonly args: string[];
  readonly env: Record<string, string>;
}

export type RealServer = "everything" | "filesystem" | "memory" | "git" | "brave";

export interface RunningServer extends AsyncDisposable {
  readonly url: string;
}

/** The entry for a program in `test/servers`. */
export function stdioServer(
  file:
    | "tools-server.mjs"
    | "heavy-message-server.mjs"
    | "raw-server.mjs"
    | "notes-server.mjs"
    | "asking-server.mjs"
    | "task-server.mjs"
    | "legacy-task-server.mjs"
    | "pushing-server.mjs"
    | "scripted-server.mjs",
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): StdioEntry {
  return { command: process.execPath, args: [programPath(file), ...args], env: { ...env } };
}

/** The entry for one of the published servers that are installed for the tests. */
export function realServer(name: RealServer, ...args: readonly string[]): StdioEntry {
  const program = {
    everything: () => resolve("@modelcontextprotocol/server-everything/dist/index.js"),
    filesystem: () => resolve("@modelcontextprotocol/server-filesystem/dist/index.js"),
    memory: () => resolve("@modelcontextprotocol/server-memory/dist/index.js"),
    git: () => resolve("@cyanheads/git-mcp-server/index.js"),
    brave: () => resolve("@brave/brave-search-mcp-server/dist/index.js"),
  }[name]();
  return { command: process.execPath, args: [program, ...args], env: {} };
}

/** Starts `test/servers/notes-server.mjs` over HTTP on a free port. */
export function startNotesServer(): Promise<RunningServer> {
  const args = [programPath("notes-server.mjs"), "--http"];
  return start({ command: process.execPath, args, env: {} }, (output) => {
    return /^listening (\S+)$/m.exec(output)?.[1];
  });
}

/** Starts `test/servers/http-server.mjs` on a free port. */
export function startHttpServer(
  flags: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<RunningServer> {
  return startServer("http-server.mjs", flags, env);
}

/** Starts a program of `test/servers` that prints its address. */
export function startServer(
  file: string,
  flags: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<RunningServer> {
  const args = [programPath(file), ...flags];
  return start({ command: process.execPath, args, env: { ...env } }, (output) => {
    return /^listening (\S+)$/m.exec(output)?.[1];
  });
}

/** Starts the published "everything" server in its HTTP+SSE mode. */
export function startSseServer(): Promise<RunningServer> {
  return startEverything("sse", "sse");
}

/** Starts the published "everything" server in one of its HTTP modes. */
export async function startEverything(
  mode: "sse" | "streamableHttp",
  path: "sse" | "mcp",
): Promise<RunningServer> {
  const port = await findFreePort(); // it cannot report an assigned port, so it gets a fixed one
  const entry = realServer("everything", mode);
  return start({ ...entry, env: { PORT: String(port) } }, (output) => {
    return output.includes(` on port ${port}`) ? `http://127.0.0.1:${port}/${path}` : undefined;
  });
}

function programPath(file: string): string {
  return fileURLToPath(new URL(`../servers/${file}`, import.meta.url));
}

async function start(
  { command, args, env }: StdioEntry,
  findUrl: (output: string) => string | undefined,
): Promise<RunningServer> {
  const child = spawn(command, args, { env: { ...process.env, ...env } });
  const ended = new Promise<void>((done) => child.once("close", done));
  let output = "";
  const url = await new Promise<string>((found, reject) => {
    const read = (text: string): void => {
      output += text;
      const match = findUrl(output);
      if (match !== undefined) found(match);
    };
    child.stdout.setEncoding("utf8").on("data", read);
    child.stderr.setEncoding("utf8").on("data", read);
    child.once("error", reject);
    child.once("close", (code) => reject(new Error(`${args.join(" ")} ended with ${code}: ${output}`)));
  });
  return {
    url,
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      child.kill();
      const lastResort = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
      await ended;
      clearTimeout(lastResort);
    },
  };
}
