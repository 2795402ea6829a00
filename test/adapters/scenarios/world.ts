import { fileURLToPath } from "node:url";
import { createHost, type Host, type Session } from "../../../src/index.ts";
import { createSandbox } from "../../support/sandbox.ts";

/** A host with the scenarios' servers, which all drivers share. */
export interface World extends AsyncDisposable {
  readonly host: Host;
  /** The arguments of the calls that the host asked about. */
  readonly askedByHost: unknown[];
  /** Returns an id or a name that no other scenario uses. */
  unique(prefix: string): string;
  /** Calls a tool of the scenario server without an adapter. */
  call(tool: string, args: Readonly<Record<string, string>>): Promise<void>;
}

export async function openWorld(): Promise<World> {
  const sandbox = await createSandbox();
  const program = fileURLToPath(new URL("../../servers/scenario-server.mjs", import.meta.url));
  const askedByHost: unknown[] = [];
  let last = 0;
  const host = await createHost({
    cwd: sandbox.project,
    env: sandbox.env(),
    discover: false,
    servers: {
      tools: { command: process.execPath, args: [program], approval: { guarded: "ask" } },
      many: { command: process.execPath, args: [program, "--many"] },
    },
    interaction: "ask",
    onCall({ args }) {
      askedByHost.push(args);
      return isApproved(args);
    },
    onElicitation: async () => ({ action: "accept", content: { name: "Ann" } }),
  });
  // On a busy machine, a server may start later than a list of tools waits for it.
  await Promise.all([host.connect("tools"), host.connect("many")]);
  return {
    host,
    askedByHost,
    unique(prefix) {
      last += 1;
      return `${prefix}_${last}`;
    },
    async call(tool, args) {
      await host.call("tools", tool, args);
    },
    async [Symbol.asyncDispose]() {
      await host.close();
      await sandbox[Symbol.asyncDispose]();
    },
  };
}

/** The person approves exactly these calls. */
export function isApproved(input: unknown): boolean {
  return JSON.stringify(input) === '{"text":"yes"}';
}

/** Resolves once the session has a tool with this name. */
export function hasTool(session: Session, name: string): Promise<void> {
  return new Promise((resolve) => {
    const check = (): void => {
      if (session.snapshot().tools.some((tool) => tool.name === name)) resolve();
    };
    session.subscribe(check);
    check();
  });
}
