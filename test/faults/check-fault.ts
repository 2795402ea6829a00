import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import type { Host, ServerOptions } from "../../src/index.ts";
import { eventually, hostIn } from "../flow/host-in.ts";
import { findStragglers } from "../support/find-stragglers.ts";
import { createSandbox } from "../support/sandbox.ts";
import { exercise, HURRIED_CLOCK } from "./exercise.mjs";
import type { Fault, Outcome, StdioScript } from "./fault.ts";

/** The timeout of every server. It is longer than any test, so that no reported failure is a timeout. */
export const NEVER_MS = 600_000;
export const LONGEST_TEST_MS = 60_000;
const program = fileURLToPath(new URL("faulty-stdio.mjs", import.meta.url));

/** The entry that starts the scripted stdio server. */
export function stdioEntry(script: StdioScript, folder?: string): ServerOptions {
  return {
    command: process.execPath,
    args: [program, JSON.stringify(script)],
    env: folder === undefined ? {} : { FAULT_FOLDER: folder },
  };
}

/** The environment of a fault. */
export interface Rig {
  /** The config entry of a healthy server of the same kind. */
  readonly good: ServerOptions;
  /** Returns the config entry. Each fault has its own folder. */
  entry(folder: string): ServerOptions;
  /** Returns the requests that the server received, in order. */
  seen(folder: string): Promise<readonly string[]>;
  /** Returns what is left of this host after it was closed. */
  left(folder: string): Promise<readonly unknown[]>;
}

export function stdioRig(script: StdioScript): Rig {
  return {
    good: stdioEntry({}),
    entry: (folder) => stdioEntry(script, folder),
    seen: (folder) => linesOf(join(folder, "seen")),
    async left(folder) {
      const pids = [...(await linesOf(join(folder, "pids"))), ...(await linesOf(join(folder, "children")))];
      return pids.map(Number).filter((pid) => exists(pid) || exists(-pid));
    },
  };
}

/** Runs one fault next to a healthy server in its own host and checks all guarantees. */
export async function checkFault(fault: Fault<unknown>, rig: Rig): Promise<void> {
  await using sandbox = await createSandbox();
  const folder = join(sandbox.home, "fault");
  await mkdir(folder);
  const faulty = {
    timeout: NEVER_MS,
    startupTimeout: NEVER_MS,
    ...rig.entry(folder),
    ...fault.entry,
  } as ServerOptions;
  const host = await hostIn(sandbox, {
    servers: { good: rig.good, faulty },
    ...(fault.hurry && { ports: { clock: HURRIED_CLOCK } }),
  });
  try {
    expect(await callGood(host)).toBe("fine");
    const [outcome, during] = await Promise.all([exercise(host, fault.act), callGood(host)]);
    expectOutcome(outcome, fault.must);
    await expectState(host, fault.must);
    if (fault.again !== undefined) {
      expectOutcome(await exercise(host), fault.again);
      await expectState(host, fault.again);
    }
    expect([during, await callGood(host)]).toEqual(["fine", "fine"]);
    expect(host.servers().find(({ name }) => name === "good")?.state).toBe("connected");
  } finally {
    await host.close();
  }
  expectAsked(await rig.seen(folder), fault.asked ?? {});
  // No process that recorded its ID, none of its group, and none that inherited its environment.
  await eventually(async () =>
    expect({ left: await rig.left(folder), stragglers: findStragglers(sandbox.home) }).toEqual({
      left: [],
      stragglers: [],
    }),
  );
}

async function callGood(host: Host): Promise<string> {
  const { text } = await host.call("good", "echo", { text: "fine" });
  return text;
}

/** An unexpected failure must not pass because there is nothing to compare. */
function expectOutcome(outcome: Outcome, { says, has, state: _, ...facts }: Outcome): void {
  expect({ code: undefined, ...outcome }).toMatchObject({
    code: undefined,
    ...facts,
    ...(says !== undefined && { says: expect.stringContaining(says) }),
    ...(has !== undefined && { text: expect.stringContaining(has) }),
  });
}

async function expectState(host: Host, { state }: Outcome): Promise<void> {
  if (state === undefined) return;
  const now = (): unknown => host.servers().find(({ name }) => name === "faulty")?.state;
  await eventually(() => expect(state).toContain(now()));
}

function expectAsked(seen: readonly string[], asked: Readonly<Record<string, number>>): void {
  const counted = Object.keys(asked).map((method) => [method, seen.filter((line) => line === method).length]);
  expect(Object.fromEntries(counted)).toEqual(asked);
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function linesOf(file: string): Promise<readonly string[]> {
  const text = await readFile(file, "utf8").catch(() => "");
  return text.split("\n").filter((line) => line !== "");
}
