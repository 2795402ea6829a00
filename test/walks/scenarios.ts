import { createHost } from "../../src/index.ts";
import { createTerminal } from "../../src/surfaces/cli/process-terminal.ts";
import { run } from "../../src/surfaces/cli/run.ts";
import type { InteractiveMode } from "../../src/surfaces/shared/command.ts";
import { createStyle } from "../../src/surfaces/shared/render/style.ts";
import { createScreen } from "../../src/surfaces/tui/screen/create-screen.ts";
import { PATIENTLY } from "../flow/host-in.ts";
import { browse, startOauthServer } from "../support/oauth-server.ts";
import { createSandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";

/** Records the calls between modules, or between files, while the work runs. */
export type Record = (work: () => Promise<unknown>, between?: "modules" | "files") => Promise<void>;

/** The walks that `npm run walk` prints, each from its start to its end. */
export const SCENARIOS: { readonly [name: string]: (record: Record) => Promise<void> } = {
  /** A tool call: from the words of a command line to the answer. */
  call: (record) => commandLine(["call", "raw", "echo", "text=hello"], record),
  /** From a config file to the servers in it. */
  "file-to-server": (record) => commandLine(["list"], record),
  /** Writing servers to another tool's config file. */
  export: (record) => commandLine(["export", "cursor", "--yes"], record),
  /** A request that is answered with 401 after its token expired: it is renewed and the request repeated. */
  async "401-to-retry"(record) {
    await using sandbox = await createSandbox();
    await using server = await startOauthServer();
    await using host = await createHost({
      cwd: sandbox.project,
      env: sandbox.env(),
      discover: false,
      servers: { notes: { url: server.url } },
      ports: { browser: { open: async () => false } },
      onSignIn: (url) => void browse(url),
    });
    await host.call("notes", "echo", { text: "before" });
    await server.control("expire");
    await record(() => host.call("notes", "echo", { text: "after" }));
  },
  /** A server announces a new list of tools, and an agent's session follows. */
  async "list-change-to-agent"(record) {
    await using sandbox = await createSandbox();
    await using host = await createHost({
      cwd: sandbox.project,
      env: sandbox.env(),
      discover: false,
      servers: { changing: stdioServer("raw-server.mjs", ["--behave", "list-changed"]) },
    });
    const session = host.session();
    await session.tools(PATIENTLY);
    await record(
      () =>
        new Promise<void>((resolve) => {
          session.subscribe(() => resolve());
          void host.call("changing", "grow");
        }),
    );
  },
  /** A key press, until the screen shows it. */
  async "key-to-screen"(record) {
    const { write } = process.stdout;
    let onWrite = (_text: string): void => {};
    process.stdout.write = (text: string | Uint8Array) => {
      onWrite(String(text));
      return true;
    };
    const screen = createScreen(createStyle(false), {
      onLine: () => {},
      onEscape: () => {},
      onInterrupt: () => false,
      onLeave: () => {},
      complete: async () => undefined,
    });
    const pressKey = (): Promise<void> =>
      new Promise((resolve) => {
        onWrite = (text) => {
          if (text.includes("k")) resolve();
        };
        process.stdin.emit("data", Buffer.from("k"));
      });
    try {
      await record(pressKey, "files");
    } finally {
      screen.close();
      process.stdout.write = write;
    }
  },
};

/** Calls a tool of the developer's own servers. */
export function callOwn(words: readonly string[], record: Record): Promise<void> {
  return record(() => runWords(["call", ...words]));
}

async function commandLine(words: readonly string[], record: Record): Promise<void> {
  await using sandbox = await createSandbox();
  await sandbox.writeHome(".plugboard/mcp.json", { mcpServers: { raw: stdioServer("raw-server.mjs") } });
  Object.assign(process.env, sandbox.env());
  await record(() => runWords(["-C", sandbox.project, ...words]));
}

function runWords(words: readonly string[]): Promise<unknown> {
  const terminal = { ...createTerminal(), out: () => {} };
  const interactive = {} as InteractiveMode; // none of these commands uses it
  return run(words, { terminal, interactive, signal: new AbortController().signal });
}
