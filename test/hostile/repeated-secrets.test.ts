import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { FormField } from "../../src/index.ts";
import { hostIn, PATIENTLY } from "../flow/host-in.ts";
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

test("a secret that a server repeats in its facts and definitions is neither stored, printed nor passed to a model", async () => {
  await using sandbox = await repeating();
  const env = { ...sandbox.env(), REPEATED: SECRET, BRANCH: "main" };
  {
    await using host = await hostIn(sandbox, { env });
    const tools = await host.tools(PATIENTLY);
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

/** A server that repeats its secret in everything that a person or a program sees of a call. */
const TALKING = `
const key = process.env.KEY;
const say = (message) => console.log(JSON.stringify({ jsonrpc: "2.0", ...message }));
const form = { type: "object", properties: {
  text: { type: "string", title: "t " + key, description: "d " + key, default: "x" + key },
  choice: { type: "string", enum: ["a"], enumNames: ["n " + key] } } };
const questions = [{ message: "m " + key + " on main", requestedSchema: form }, { mode: "url", message: "u " + key, url: "https://a.test/" },
  { message: "x".repeat(3990) + key + key, requestedSchema: { type: "object", properties: {} } }];
let call;
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params, result } = JSON.parse(line);
  const reply = { initialize: () => ({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } }),
    "tools/list": () => ({ tools: [{ name: "ask", inputSchema: {} }, { name: key, inputSchema: 1 }, { name: key, inputSchema: 2 }] }) }[method];
  if (reply) return say({ id, result: reply() });
  if (method === "tools/call") {
    call = id;
    say({ method: "notifications/progress", params: { progressToken: params._meta?.progressToken, progress: 1, message: "p " + key } });
    questions.forEach((question, at) => say({ id: "q" + at, method: "elicitation/create", params: question }));
  }
  if (id === "q0") say({ id: call, result: { content: [{ type: "text", text: "got " + JSON.stringify(result.content).length }] } });
});`;

test.each([
  ["leaves its fields out", () => ({}), 10],
  ["repeats the default", (fields: readonly FormField[]) => ({ text: fields[0]?.default as string }), 10],
])(
  "a secret in questions, progress and problems is masked, for an answer that %s",
  async (_, answer, rest) => {
    await using sandbox = await createSandbox();
    const file = await sandbox.writeHome("server.cjs", TALKING);
    const s = { command: process.execPath, args: [file], env: { KEY: "${REPEATED}", BRANCH: "${BRANCH}" } };
    await sandbox.writeHome(".plugboard/mcp.json", { mcpServers: { s } });
    const seen: unknown[] = [];
    await using host = await hostIn(sandbox, {
      env: { ...sandbox.env(), REPEATED: SECRET, BRANCH: "main" },
      onElicitation: async (request) => {
        seen.push(request);
        return request.mode === "form"
          ? { action: "accept", content: answer(request.fields) }
          : { action: "decline" };
      },
    });
    host.subscribe((event) => seen.push(event));
    await host.tools("s");
    const { text } = await host.call("s", "ask", {}, { onProgress: (progress) => seen.push(progress) });
    seen.push(host.snapshot().problems, await host.doctor.checkTools());
    const said = JSON.stringify(seen);
    expect(said).not.toContain(SECRET);
    for (const half of [SECRET.slice(0, 9), SECRET.slice(-9)]) expect(said).not.toContain(half);
    for (const masked of [
      "m [secret] on main",
      "u [secret]",
      "t [secret]",
      "d [secret]",
      "x[secret]",
      "n [secret]",
      "p [secret]",
    ])
      expect(said).toContain(masked);
    expect(said).toContain('one tool was dropped: \\"[secret]\\" has an inputSchema');
    expect(text).toBe(`got ${SECRET.length + rest + 2}`); // the default itself: {"text":"x…"}
  },
);
