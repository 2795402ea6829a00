import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { hostIn } from "../flow/host-in.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { LONGEST_MS, report, tenthOf } from "./counts.ts";
import { startWriter } from "./start-writer.ts";

/** A writer waits before it takes over a dead process's lock. Several files at once use that time. */
const LANES = 5;
/** An add takes a few milliseconds. Taking over a dead process's lock takes half a second. */
const ADD_MS = 30;
const TAKEOVER_MS = 650;

interface Lane {
  readonly sandbox: Sandbox;
  readonly file: string;
  readonly acknowledged: Set<string>;
  readonly failures: string[];
}

/** Returns what is wrong with the file, if anything. */
async function faultsIn({ file, acknowledged }: Lane): Promise<string[]> {
  const text = await readFile(file, "utf8").catch(() => '{"mcpServers":{}}');
  try {
    const { mcpServers } = JSON.parse(text) as { mcpServers: Record<string, unknown> };
    return [...acknowledged].filter((name) => !(name in mcpServers)).map((name) => `${name} is lost`);
  } catch (error) {
    return [`the file does not parse: ${String(error)}\n${text}`];
  }
}

/** Runs one or two writers at a time, each killed at a different moment. Returns how many were killed. */
async function killSome(lane: Lane, round: string, most: number): Promise<number> {
  const left = await readdir(dirname(lane.file)).catch(() => []);
  const longest = left.some((name) => name.includes("lock")) ? TAKEOVER_MS : ADD_MS;
  const count = Math.min(most, Math.random() < 0.3 ? 2 : 1);
  const ends = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const writer = startWriter(lane.sandbox, `${round}-${index}`, 1_000);
      await writer.wrote(0);
      writer.start();
      if (Math.random() < 0.7) await writer.wrote(Math.floor(Math.random() * 3));
      await delay(Math.random() * longest); // the random moment itself
      writer.kill();
      return writer.ended;
    }),
  );
  for (const { how, acknowledged } of ends) {
    if (how !== "SIGKILL") lane.failures.push(`${round} ended with ${how}`);
    for (const name of acknowledged) lane.acknowledged.add(name);
  }
  lane.failures.push(...(await faultsIn(lane)));
  return count;
}

/** The next writer succeeds, and removes what the killed ones left. */
async function writeAfter(lane: Lane, name: string): Promise<void> {
  await using host = await hostIn(lane.sandbox, { cwd: lane.sandbox.home });
  try {
    await host.config.add({ name, server: { command: "node" }, scope: "user" });
    lane.acknowledged.add(name);
  } catch (error) {
    lane.failures.push(`${name} could not be written: ${String(error)}`);
  }
  const left = await readdir(dirname(lane.file));
  if (left.join() !== "mcp.json") lane.failures.push(`${name} found ${left.join(" ")}`);
  lane.failures.push(...(await faultsIn(lane)));
}

test(
  "a writer killed at any moment loses nothing that it reported as written, and blocks no other process",
  async () => {
    const kills = tenthOf(1_000);
    let dead = 0;
    let survived = 0;
    const failures: string[] = [];
    const runLane = async (): Promise<void> => {
      await using sandbox = await createSandbox();
      const file = join(sandbox.home, ".plugboard", "mcp.json");
      const lane: Lane = { sandbox, file, acknowledged: new Set(), failures: [] };
      for (let round = 0; dead < kills; round += 1) {
        const before = lane.failures.length;
        const claimed = Math.min(2, kills - dead);
        dead += claimed;
        const died = await killSome(lane, `r${round}`, claimed);
        dead -= claimed - died;
        if (Math.random() < 0.7) await writeAfter(lane, `after-r${round}`);
        if (lane.failures.length === before) survived += died;
      }
      await writeAfter(lane, "last");
      failures.push(...lane.failures);
    };
    await Promise.all(Array.from({ length: LANES }, runLane));
    report("writers killed (`kill -9`) while adding servers: nothing lost", survived, kills);
    expect({ failures, survived }).toEqual({ failures: [], survived: kills });
  },
  LONGEST_MS,
);
