import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { LONGEST_MS, report, tenthOf } from "./counts.ts";

const program = fileURLToPath(new URL("mutated-configs.mjs", import.meta.url));
const fixtures = fileURLToPath(new URL("../fixtures/configs", import.meta.url));
/** A round of about seventy files takes milliseconds. A process that is silent for this long hangs. */
const HANGS_MS = 60_000;

interface Reading {
  readonly read: number;
  readonly failures: readonly string[];
}

/** Runs in its own process, so that a reader that hangs or crashes does not affect others. */
async function readMutated(count: number, seed: number): Promise<Reading> {
  const child = spawn(process.execPath, [program, fixtures, String(count), String(seed)]);
  const ended = new Promise<string>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve(String(signal ?? code)));
  });
  let complaints = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (complaints += text));
  const failures: string[] = [];
  let read = 0;
  const watchdog = setTimeout(() => {
    failures.push(`the reader hangs after ${read} files (seed ${seed})`);
    child.kill("SIGKILL");
  }, HANGS_MS);
  for await (const line of createInterface({ input: child.stdout })) {
    const news = JSON.parse(line) as { done: number; failures: string[] };
    read = news.done;
    failures.push(...news.failures);
    watchdog.refresh();
  }
  clearTimeout(watchdog);
  const how = await ended;
  if (how !== "0") failures.push(`the reader ended with ${how} after ${read} files: ${complaints}`);
  return { read, failures };
}

test(
  "config files with corrupted bytes cause no crash, no hang and no prototype pollution",
  async () => {
    const wanted = tenthOf(100_000);
    const { read, failures } = await readMutated(wanted, 1);
    const total = Math.max(read, wanted);
    report(
      "mutated config files read: no crash, no hang, no polluted prototype",
      total - failures.length,
      total,
    );
    expect({ failures, enough: read >= wanted }).toEqual({ failures: [], enough: true });
  },
  LONGEST_MS,
);
