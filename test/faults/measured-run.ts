import { spawn } from "node:child_process";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { reapStragglers } from "../support/reap-stragglers.ts";
import { createSandbox } from "../support/sandbox.ts";
import { NEVER_MS, type Rig } from "./check-fault.ts";
import type { Fault, Outcome } from "./fault.ts";

const program = fileURLToPath(new URL("measure.mjs", import.meta.url));
/** A client that has not finished by then counts as hanging. */
const DEADLINE_MS = 20_000;
const LEFT_GRACE_MS = 1_000;

export type MeasuredClient = "plugboard" | "sdk";

/** The result of one fault with one client. */
export interface Measured {
  /** How the process failed: `hangs`, or its exit code or signal. */
  readonly died?: string;
  readonly outcome: Outcome;
  /** The result of a healthy server during the fault. */
  readonly healthy?: string;
  /** The time from the fault until the caller was notified. */
  readonly reportedMs: number;
  readonly stallMs: number;
  readonly growthMb: number;
  /** Processes that were left running. */
  readonly left: number;
}

interface Facts extends Omit<Measured, "died" | "reportedMs" | "left"> {
  readonly startedAt: number;
  readonly settledAt: number;
}

export async function measure(
  client: MeasuredClient,
  fault: Fault<unknown>,
  rig: Rig,
  wentWrongAt: (folder: string) => Promise<number>,
): Promise<Measured> {
  await using sandbox = await createSandbox();
  const folder = join(sandbox.home, "fault");
  await mkdir(folder);
  const faulty = { timeout: NEVER_MS, startupTimeout: NEVER_MS, ...rig.entry(folder), ...fault.entry };
  const task = { client, home: sandbox.home, good: rig.good, faulty, act: fault.act, hurry: fault.hurry };
  const { text, how } = await runToItsEnd([program, JSON.stringify(task)], sandbox.env());
  const left = (await reapStragglers(sandbox.home, LEFT_GRACE_MS)).length;
  if (text === "") return { died: how, outcome: {}, reportedMs: 0, stallMs: 0, growthMb: 0, left };
  const { startedAt, settledAt, ...facts } = JSON.parse(text) as Facts;
  const since = Math.max(startedAt, await wentWrongAt(folder));
  return { ...facts, reportedMs: Math.max(0, settledAt - since), left, ...(how !== "0" && { died: how }) };
}

/** When the stdio server last misbehaved, or 0 if it never did. */
export async function stdioMark(folder: string): Promise<number> {
  return Number(await readFile(join(folder, "at"), "utf8").catch(() => "0"));
}

async function runToItsEnd(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<{ text: string; how: string }> {
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "ignore"] });
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (piece: string) => {
    text += piece;
  });
  let hangs = false;
  const watchdog = setTimeout(() => {
    hangs = true;
    child.kill("SIGKILL");
  }, DEADLINE_MS);
  const how = await new Promise<string>((resolve) =>
    child.once("exit", (code, signal) => resolve(String(signal ?? code))),
  );
  clearTimeout(watchdog);
  child.stdout.destroy();
  return { text, how: hangs ? "hangs" : how };
}
