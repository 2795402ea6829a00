import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hostIn } from "../flow/host-in.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";

const SECRET = "zebra-quartz-velvet-7";

/** A server that repeats its secret in everything it says about itself. */
const SERVER = `
const key = process.env.KEY;
const reply = { initialize: (params) => ({ protocolVersion: params.protocolVersion, capabilities: { tools: {}, resources: {}, prompts: {}, [key]: {} },
    serverInfo: { name: "s " + key, version: "1 " + key }, instructions: "Use " + key + " to log in. Region: main." }),
  "tools/list": () => ({ tools: [{ name: "a", description: "needs " + key, inputSchema: { type: "object", properties: { k: { type: "string", description: key, default: Buffer.from(key).toString("base64") } } } },
    { name: "b", description: "x".repeat(200000) + key, inputSchema: { type: "object" } },
    { name: "c", description: "runs on main", inputSchema: { type: "object" } }] }),
  "resources/list": () => ({ resources: [{ uri: "file:///r", name: "r " + key, description: key }] }),
  "resources/templates/list": () => ({ resourceTemplates: [{ uriTemplate: "file:///{x}", name: "t " + key, description: key }] }),
  "prompts/list": () => ({ prompts: [{ name: "p", description: key }] }) };
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const result = reply[method]?.(params);
  console.log(JSON.stringify(result ? { jsonrpc: "2.0", id, result } : { jsonrpc: "2.0", id, error: { code: -32601, message: "no" } }));
});`;

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => readFile(join(entry.parentPath, entry.name), "latin1")),
  );
}

async function repeating(): Promise<Sandbox> {
  const sandbox = await createSandbox();
  const file = await sandbox.writeHome("server.cjs", SERVER);
  const s = { command: process.execPath, args: [file], env: { KEY: "${REPEATED}", BRANCH: "${BRANCH}" } };
  await sandbox.writeHome(".plugboard/mcp.json", { mcpServers: { s } });
  return sandbox;
}

test("a secret that a server repeats in its facts and definitions is neither kept, printed nor handed to a model", async () => {
  await using sandbox = await repeating();
  const env = { ...sandbox.env(), REPEATED: SECRET, BRANCH: "main" };
  {
    await using host = await hostIn(sandbox, { env });
    const tools = await host.tools();
    const offers = [await host.resources.list(), await host.resources.templates(), await host.prompts.list()];
    const instructions = await host.session().instructions();
    const facts = [await host.connect("s"), await host.doctor.test("s"), host.snapshot()];
    const said = JSON.stringify([tools, offers, instructions, facts]);
    expect(said).not.toContain(SECRET);
    expect(said).not.toContain(Buffer.from(SECRET).toString("base64").slice(0, 24));
    expect(facts[0]).toMatchObject({ name: "s [secret]", version: "1 [secret]" });
    expect(offers).toMatchObject([
      [{ uri: "file:///r", name: "r [secret]" }],
      [{ name: "t [secret]" }],
      [{}],
    ]);
    expect(instructions).toContain("Use [secret] to log in. Region: main.");
    expect(JSON.stringify(tools)).toContain("runs on main");
  }
  const kept = await filesBelow(sandbox.home);
  expect(kept.filter((text) => text.includes("needs [secret]")).length).toBeGreaterThan(0);
  expect(kept.filter((text) => text.includes(SECRET))).toEqual([]);
});

test("definitions without a secret do not change between runs, so no tool is held back", async () => {
  await using sandbox = await repeating();
  for (const _ of ["first", "second"]) {
    await using host = await hostIn(sandbox, { env: { ...sandbox.env(), REPEATED: SECRET, BRANCH: "main" } });
    expect((await host.tools("s", { refresh: true })).map(({ tool }) => tool).sort()).toEqual([
      "a",
      "b",
      "c",
    ]);
    expect(host.snapshot().problems.filter(({ code }) => code === "tool-changed")).toEqual([]);
  }
});
