import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Gateway } from "../../src/gateway.ts";
import { mastraNode } from "../consumers/mastra/node.ts";
import { LONGEST_MS, reportTests } from "../durability/counts.ts";
import { gatewayIn } from "../support/gateway-clients.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";

/** The programs are installed at an exact version into a folder that Git ignores. */
const PROGRAMS = {
  mcporter: { version: "mcporter@0.12.3", file: "mcporter/dist/cli.js" },
  inspector: { version: "@modelcontextprotocol/inspector@2.12.0", file: ".bin/mcp-inspector" },
} as const;
const folderOf = (name: keyof typeof PROGRAMS): string => resolve("bench/.peers", name);

let sandbox: Sandbox;
let gateway: Gateway;
let served: { readonly url: string; readonly token: string };

reportTests("uses of the gateway by other programs: tools, resources and prompts");
beforeAll(async () => {
  for (const [name, { version }] of Object.entries(PROGRAMS)) {
    const folder = folderOf(name as keyof typeof PROGRAMS);
    const options = ["--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund", "--save-exact"];
    await promisify(execFile)("npm", ["install", ...options, version]);
  }
  sandbox = await createSandbox();
  gateway = await gatewayIn(sandbox, { servers: { notes: stdioServer("tools-server.mjs") } });
  served = await gateway.listen({ port: 0 });
}, LONGEST_MS);
afterAll(async () => {
  await gateway.close();
  await sandbox[Symbol.asyncDispose]();
});

async function run(name: keyof typeof PROGRAMS, args: readonly string[]): Promise<string> {
  const file = resolve(folderOf(name), "node_modules", PROGRAMS[name].file);
  const options = { cwd: sandbox.project, env: sandbox.env() };
  const { stdout } = await promisify(execFile)(mastraNode ?? process.execPath, [file, ...args], options);
  return stdout;
}

async function runMcporter(...args: readonly string[]): Promise<string> {
  const headers = { Authorization: `Bearer ${served.token}` };
  const config = await sandbox.writeHome("mcporter.json", {
    mcpServers: { gateway: { baseUrl: served.url, headers } },
  });
  return run("mcporter", ["--config", config, ...args]);
}

async function inspect(...args: readonly string[]): Promise<unknown> {
  const header = `Authorization: Bearer ${served.token}`;
  const text = await run("inspector", [
    "--cli",
    served.url,
    "--transport",
    "http",
    "--header",
    header,
    ...args,
  ]);
  return JSON.parse(text);
}

test(
  "mcporter lists and calls tools: mcporter list gateway --json, mcporter call gateway.notes_echo text=hi",
  async () => {
    const listed = JSON.parse(await runMcporter("list", "gateway", "--json")) as {
      readonly tools: readonly { readonly name: string }[];
    };
    expect(listed.tools.map(({ name }) => name)).toContain("notes_echo");
    expect((await runMcporter("call", "gateway.notes_echo", "text=hi")).trim()).toBe("hi");
  },
  LONGEST_MS,
);

test.each([
  [
    ["--method", "tools/list"],
    { tools: expect.arrayContaining([expect.objectContaining({ name: "notes_echo" })]) },
  ],
  [
    ["--method", "tools/call", "--tool-name", "notes_echo", "--tool-arg", "text=hi"],
    { content: [{ type: "text", text: "hi" }] },
  ],
  [["--method", "resources/list"], { resources: [{ uri: "notes+note://welcome" }] }],
  [["--method", "resources/read", "--uri", "notes+note://welcome"], { contents: [{ text: "Welcome." }] }],
  [
    ["--method", "prompts/get", "--prompt-name", "notes_greet", "--prompt-args", "name=Ada"],
    { messages: [{ content: { text: "Say hello to Ada." } }] },
  ],
])(
  "the Inspector's command line: %j",
  async (args, expected) => {
    expect(await inspect(...args)).toMatchObject(expected);
  },
  LONGEST_MS,
);
