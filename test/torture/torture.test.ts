import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseJson } from "../../src/documents/index.ts";
import { createHost, type Host, isHostError, ToolAbortError } from "../../src/index.ts";
import { type HttpScriptedServer, serveHttp } from "../../src/testing/index.ts";
import { countOf, LONGEST_MS, report } from "../durability/counts.ts";
import { findStragglers } from "../support/find-stragglers.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { createFailingPorts } from "./failing-ports.ts";
import { type Place, type Scenario, SCENARIOS, SMALL } from "./scenarios.ts";

/** Longer than anything here may take, also on a slow machine. */
const HANGS_MS = 40_000;
const STATES = new Set(
  "idle connecting connected reconnecting needs_auth needs_client_registration untrusted failed disabled invalid".split(
    " ",
  ),
);
const LINE = "scenarios × calls to the world outside that fail: no crash, no orphan, files whole, locks free";

let remote: HttpScriptedServer;
const unhandled: unknown[] = [];
const onUnhandled = (reason: unknown): void => void unhandled.push(reason);
let runs = 0;
let good = 0;

beforeAll(async () => {
  process.on("unhandledRejection", onUnhandled);
  remote = await serveHttp({
    name: "remote",
    version: "1.0.0",
    tools: { echo: { inputSchema: { type: "object" }, run: ({ text }) => String(text) } },
  });
});
afterAll(async () => {
  process.off("unhandledRejection", onUnhandled);
  await remote.close();
  report(LINE, good, runs);
});

describe.each(Object.entries(SCENARIOS))("%s", (_, scenario) => {
  test(
    "ends well, whichever call to the world outside fails",
    async () => {
      const whole = await tryWith(scenario, 0);
      expect(whole.complaints).toEqual([]);
      expect(whole.calls).toBeGreaterThan(0);
      const inScore = Math.min(whole.calls, Number(process.env["TORTURE_CALLS"] ?? whole.calls));
      const most = countOf({ inScore, inTests: 3 });
      const complaints: string[] = [];
      for (let index = 0; index < most; index += 1) {
        const k = Math.floor(((index + 0.5) / most) * whole.calls) + 1;
        const tried = await tryWith(scenario, k);
        runs += 1;
        if (tried.complaints.length === 0) good += 1;
        complaints.push(...tried.complaints.map((what) => `${k}. ${tried.failed}: ${what}`));
      }
      expect(complaints).toEqual([]);
    },
    LONGEST_MS,
  );
});

interface Tried {
  readonly calls: number;
  readonly failed: string | undefined;
  readonly complaints: readonly string[];
}

async function tryWith(scenario: Scenario, k: number): Promise<Tried> {
  await using sandbox = await createSandbox();
  const place: Place = { url: remote.url };
  await scenario.prepare?.(sandbox, place);
  const { ports, calls, failed } = createFailingPorts(k);
  const complaints: string[] = [];
  const where = { cwd: sandbox.project, home: sandbox.home, env: sandbox.env() };
  let host: Host | undefined;
  const outcome = await within(async () => {
    host = await createHost({ ...where, ...scenario.options, ports });
    await scenario.run(host, sandbox);
  });
  if (outcome !== undefined) {
    const isOurs = isHostError(outcome) ? outcome.code !== "INTERNAL_BUG" : outcome instanceof ToolAbortError;
    if (!isOurs || k === 0) complaints.push(`it ended with ${describeError(outcome)}`);
  }
  const states = host?.snapshot().servers.map(({ state }) => state) ?? [];
  complaints.push(...states.filter((state) => !STATES.has(state)).map((state) => `state ${state}`));
  const closing = await within(async () => host?.close());
  if (closing !== undefined) complaints.push(`closing ended with ${describeError(closing)}`);
  complaints.push(...(await leftovers(sandbox)));
  const after = await within(() => nextOneWorks(where));
  if (after !== undefined) complaints.push(`the next one ended with ${describeError(after)}`);
  complaints.push(...unhandled.splice(0).map((reason) => `unhandled: ${describeError(reason)}`));
  return { calls: calls(), failed: failed(), complaints };
}

/** What an action ended with; nothing when it went well. */
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

async function leftovers(sandbox: Sandbox): Promise<string[]> {
  const complaints: string[] = [];
  for (let left = 20; left > 0 && findStragglers(sandbox.home).length > 0; left -= 1) await wait(50);
  complaints.push(...findStragglers(sandbox.home).map(({ commandLine }) => `left running: ${commandLine}`));
  for (const folder of [sandbox.home, sandbox.project]) {
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !/\.jsonl?$/.test(entry.name)) continue;
      const text = await readFile(join(entry.parentPath, entry.name), "utf8");
      const parts = entry.name.endsWith("l") ? text.trimEnd().split("\n") : [text];
      const problems = parts.flatMap((part) => parseJson(part).problems);
      complaints.push(...problems.map(({ message }) => `${entry.name} ${message}`));
    }
  }
  return complaints;
}

/** Somebody else comes, with a world that works: locks are free, what is there can be read, and written to. */
async function nextOneWorks(where: {
  cwd: string;
  home: string;
  env: Record<string, string>;
}): Promise<void> {
  const host = await createHost(where);
  try {
    await host.add({ name: "after", scope: "user", server: SMALL });
    if (!host.servers().some(({ name }) => name === "after")) throw new Error("what was added is not there");
  } finally {
    await host.close();
  }
}

function describeError(error: unknown): string {
  if (isHostError(error)) return `${error.code}: ${error.message}`;
  if (!(error instanceof Error)) return String(error);
  const frames = (error.stack ?? "").split("\n").filter((line) => line.includes("/src/"));
  return [error.message, ...frames.slice(0, 3)].join(" ").replace(/\s+/g, " ");
}
