import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";
import { countOf, LONGEST_MS, report } from "../durability/counts.ts";
import { eventually } from "../flow/host-in.ts";
import { daemonIn } from "../support/daemon-in.ts";
import { startCli } from "../support/run-cli.ts";
import { createSandboxInCi, type Sandbox } from "../support/sandbox.ts";

const KILLS = countOf({ inScore: 100, inTests: 1 });
const CLIENTS = 2;
const CALLS = 50;
/** Writes down every call that it runs. */
const SERVER = `
const { appendFileSync } = require("node:fs");
const say = (message) => console.log(JSON.stringify({ jsonrpc: "2.0", ...message }));
const tool = (name, annotations) => ({ name, annotations, inputSchema: { type: "object" } });
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  if (method === "tools/call") {
    appendFileSync(process.env.COUNT_FILE, params.name + " " + params.arguments.n + "\\n");
    setTimeout(() => say({ id, result: { content: [{ type: "text", text: String(params.arguments.n) }] } }), 150);
  } else if (method === "initialize")
    say({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "counts", version: "1" } } });
  else if (method === "tools/list")
    say({ id, result: { tools: [tool("change", {}), tool("look", { readOnlyHint: true })] } });
  else say({ id, result: {} });
}).on("close", () => process.exit(0));`;

const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** A client of `plugboard serve --stdio` that makes calls with numbers, every other one of a tool that can be repeated. */
function clientIn(sandbox: Sandbox) {
  const cli = startCli(["serve", "--stdio"], { sandbox });
  const open = new Map<number, (message: { readonly error?: unknown }) => void>();
  createInterface({ input: cli.child.stdout }).on("line", (line) => {
    const message = JSON.parse(line) as { readonly id?: number; readonly error?: unknown };
    if (message.id !== undefined) open.get(message.id)?.(message);
  });
  return {
    call(name: string, n: number): Promise<{ readonly error?: unknown }> {
      const answered = new Promise<{ readonly error?: unknown }>((resolve) => open.set(n, resolve));
      const params = { name: `counts_${name}`, arguments: { n }, _meta: META };
      cli.child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: n, method: "tools/call", params })}\n`);
      return answered;
    },
    async [Symbol.asyncDispose]() {
      cli.child.stdin.end();
      await cli.ended;
    },
  };
}

async function killUnderCalls(): Promise<{ readonly lost: number; readonly twice: readonly string[] }> {
  await using sandbox = await createSandboxInCi();
  const file = join(sandbox.home, "counts");
  const program = await sandbox.writeHome("counts.cjs", SERVER);
  const entry = { command: process.execPath, args: [program], env: { COUNT_FILE: file }, trust: "trusted" };
  await sandbox.writeHome(".plugboard/mcp.json", { mcpServers: { counts: entry } });
  const executed = async (): Promise<string[]> =>
    (await readFile(file, "utf8").catch(() => "")).split("\n").filter(Boolean);
  await using daemon = await daemonIn(sandbox);
  const clients = Array.from({ length: CLIENTS }, () => clientIn(sandbox));
  try {
    await Promise.all(clients.map((client, index) => client.call("look", 10_000 + index)));
    const nameOf = (n: number): string => (n % 2 === 0 ? "look" : "change");
    const calls = clients.flatMap((client, index) =>
      Array.from({ length: CALLS }, (_, at) => {
        const n = index * CALLS + at;
        return client.call(nameOf(n), n).then(({ error }) => ({ n, isLost: error !== undefined }));
      }),
    );
    await eventually(async () => expect((await executed()).length).toBeGreaterThan(CLIENTS + CALLS / 4));
    process.kill(daemon.pid, "SIGKILL");
    const outcomes = await Promise.all(calls); // each call is answered
    const lines = await executed();
    const times = (n: number): number => lines.filter((line) => line === `${nameOf(n)} ${n}`).length;
    return {
      // The server had them, so the daemon had marked them. Calls that still waited may fail.
      lost: outcomes.filter(({ n, isLost }) => isLost && nameOf(n) === "look" && times(n) > 0).length,
      twice: outcomes
        .filter(({ n, isLost }) => times(n) > (nameOf(n) === "look" ? 2 : 1) || (times(n) === 0 && !isLost))
        .map(({ n }) => `${nameOf(n)} ${n}: ${times(n)}`),
    };
  } finally {
    for (const client of clients) await client[Symbol.asyncDispose]();
  }
}

test(
  "`kill -9` of the daemon under 100 calls: calls that can be repeated succeed, and no other is executed twice",
  async () => {
    let passed = 0;
    for (let kill = 0; kill < KILLS; kill += 1) {
      const outcome = await killUnderCalls();
      expect(outcome).toEqual({ lost: 0, twice: [] });
      passed += 1;
    }
    report(
      "kills of the daemon under 100 calls: repeatable ones succeed, no other is executed twice",
      passed,
      KILLS,
    );
  },
  LONGEST_MS,
);
