import { setTimeout as wait } from "node:timers/promises";
import { PROVIDERS } from "../../src/discovery/providers/index.ts";
import { createHost, type Host, isHostError, ToolAbortError } from "../../src/index.ts";
import type { Keychain } from "../../src/platform/index.ts";
import { findStragglers } from "../support/find-stragglers.ts";
import { browse } from "../support/oauth-server.ts";
import { createSandbox } from "../support/sandbox.ts";
import { createFailingPorts } from "./failing-ports.ts";
import type { Calls, Fault } from "./fate.ts";
import { followStates } from "./follow-states.ts";
import { complaintsAboutFiles, namesDeclared } from "./look-at-files.ts";
import { type Place, type Scenario, SMALL } from "./scenarios.ts";

/** Longer than any step may take, even on a slow machine. */
const HANGS_MS = 40_000;

/** The tool whose files the scenarios write. */
const LEFT_OUT = PROVIDERS.map(({ id }) => id).filter(
  (id) => !["plugboard", "claude-code", "codex", "cursor", "mcp-json"].includes(id),
);

export interface Tried {
  readonly calls: Calls;
  /** The call that failed. Not set if it was never made. */
  readonly failed: string | undefined;
  readonly complaints: readonly string[];
}

/** Runs a scenario with one fault, and checks everything that must be in order afterwards. */
export async function tryScenario(scenario: Scenario, place: Place, fault: Fault): Promise<Tried> {
  await using sandbox = await createSandbox();
  await scenario.prepare?.(sandbox, place);
  const declared = await namesDeclared(sandbox);
  const keychain = createMemoryKeychain();
  const { ports, calls, failed, heal, timers } = createFailingPorts(fault, {
    keychain,
    browser: { open: async ({ href }) => (void browse(href).catch(() => {}), true) },
    ...(scenario.timePasses !== undefined && { timePasses: scenario.timePasses }),
  });
  const complaints: string[] = [];
  const where = {
    cwd: sandbox.project,
    home: sandbox.home,
    env: { ...sandbox.env(), ...scenario.env },
    ...(scenario.everywhere !== true && { settings: { providersOff: LEFT_OUT } }),
  };

  let host: Host | undefined;
  let states: ReturnType<typeof followStates> | undefined;
  let result: unknown;
  const outcome = await within(async () => {
    host = await createHost({ ...where, ports });
    states = followStates(host);
    result = await scenario.run(host, sandbox, place);
  });
  if (outcome !== undefined && (fault.at === 0 || !isOurs(outcome)))
    complaints.push(`it ended with ${describeError(outcome)}`);
  if (/INTERNAL_BUG/.test(JSON.stringify(result ?? ""))) complaints.push("it answered with a bug");

  const made = calls();
  // A fault that has not occurred yet may occur while the host closes.
  if (failed() !== undefined || fault.at === 0) {
    heal();
    const recovery = await within(async () => host && recover(host));
    if (recovery !== undefined && !isHostError(recovery, "HOST_CLOSED") && !needsPerson(recovery))
      complaints.push(`once the world works again, it does not: ${describeError(recovery)}`);
  }
  const closing = await within(async () => host?.close());
  heal();
  if (closing !== undefined) complaints.push(`closing ended with ${describeError(closing)}`);
  complaints.push(...findStragglers(sandbox.home).map(({ commandLine }) => `left running: ${commandLine}`));
  if (timers() > 0) complaints.push(`${timers()} timers keep the program alive`);
  complaints.push(...(states?.complaints() ?? []), ...(await complaintsAboutFiles(sandbox, failed(), fault)));

  const after = await within(async () => {
    await using later = await createHost({ ...where, ports: { keychain } });
    await later.config.add({ name: "after", scope: "user", server: SMALL });
    const names = new Set(later.servers({ all: true }).map(({ name }) => name));
    const lost = [...declared, "after"].filter((name) => !names.has(name) && name !== scenario.removes);
    if (lost.length > 0) throw new Error(`${lost.join(" and ")} is declared no more`);
    if (outcome === undefined && scenario.isDone !== undefined && !(await scenario.isDone(later)))
      throw new Error("it went well, and yet it is not done");
  });
  if (after !== undefined) complaints.push(`the next one ended with ${describeError(after)}`);
  return { calls: made, failed: failed(), complaints };
}

/** A new host is not affected by the failure: it reads the files, and every server that may run does. */
async function recover(host: Host): Promise<void> {
  await host.reload();
  for (const { name, state } of host.servers())
    if (!["untrusted", "disabled", "invalid", "needs_auth"].includes(state))
      await host.connect(name).catch(() => host.connect(name)); // the first may have begun before
}

/** After a fault, the user may have to sign in again. */
function needsPerson(error: unknown): boolean {
  return isHostError(error, "INTERACTION_REQUIRED") && error.reason === "signIn";
}

/** Returns the error of an action, or nothing if it succeeded. */
async function within(action: () => Promise<unknown>): Promise<unknown> {
  const abort = new AbortController();
  const hang = wait(HANGS_MS, new Error("it hangs"), { signal: abort.signal }).catch(() => undefined);
  const done = action().then(
    () => undefined,
    (error: unknown) => error ?? new Error("nothing was thrown"),
  );
  const outcome = await Promise.race([done, hang]);
  abort.abort();
  return outcome;
}

function isOurs(error: unknown): boolean {
  return isHostError(error) ? error.code !== "INTERNAL_BUG" : error instanceof ToolAbortError;
}

function createMemoryKeychain(): Keychain {
  const entries = new Map<string, string>();
  return {
    read: async (name) => entries.get(name),
    write: async (name, text) => void entries.set(name, text),
    remove: async (name) => void entries.delete(name),
  };
}

export function describeError(error: unknown): string {
  if (isHostError(error)) return `${error.code}: ${error.message}`;
  if (!(error instanceof Error)) return String(error);
  const frames = (error.stack ?? "").split("\n").filter((line) => line.includes("/src/"));
  return [error.message, ...frames.slice(0, 3)].join(" ").replace(/\s+/g, " ");
}
