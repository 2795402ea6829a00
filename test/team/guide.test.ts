import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmod, rm } from "node:fs/promises";
import { resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { JsonObject } from "../../src/model/index.ts";
import { codeBlocks, codeSpans, textOf } from "../docs/markdown.ts";
import { findFreePort } from "../support/find-free-port.ts";
import { openDatabase, type TestDatabase } from "../support/postgres.ts";
import { type CliResult, runCli } from "../support/run-cli.ts";
import { createSandboxInCi, type Sandbox } from "../support/sandbox.ts";
import { type RunningCli, startCli } from "../support/start-cli.ts";
import { tlsFile } from "../support/tls-files.ts";

const guide = textOf("docs/team.md");
const everything = resolve("node_modules/@modelcontextprotocol/server-everything/dist/index.js");
const blocks = codeBlocks(guide);
const isCommand = (line: string): boolean => /^plugboard \S+ \S/.test(line);
/** Every complete command that the guide shows. */
const shown = new Set(
  [
    ...blocks.flatMap(({ language, code }) => (language === "sh" ? code.split("\n") : [])),
    ...codeSpans(guide),
  ].filter((line) => isCommand(line) && !/[<…]/.test(line)),
);
const ran = new Set<string>();

let port: number;
let operator: Sandbox;
let database: TestDatabase;
let databaseUrl: string;

beforeAll(async () => {
  [port, operator, database] = await Promise.all([findFreePort(), createSandboxInCi(), openDatabase()]);
  databaseUrl = database.url;
});
afterAll(async () => {
  await operator[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

/** Replaces what depends on the reader's machine. */
const local = (text: string): string =>
  text.replaceAll("8420", String(port)).replaceAll("8443", String(port));
/** Returns the n-th config that the guide shows. */
const config = (part: string): JsonObject => {
  const found = blocks.find(({ language, code }) => language === "jsonc" && code.includes(part));
  const text = local(found?.code ?? "")
    .replace('"npx"', JSON.stringify(process.execPath))
    .replace('["-y", "@modelcontextprotocol/server-everything"]', JSON.stringify([everything]));
  return JSON.parse(text) as JsonObject;
};
const writeKey = async (name: string): Promise<void> =>
  chmod(await operator.writeProject(name, randomBytes(32)), 0o600);

interface Typed {
  readonly sandbox?: Sandbox;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a command as a reader types it. */
async function type(line: string, { sandbox = operator, env = {} }: Typed = {}): Promise<CliResult> {
  ran.add(line);
  const args = local(line).split(" ").slice(1);
  return runCli(args, { sandbox, env: { DATABASE_URL: databaseUrl, ...env } });
}

/** Runs a command that must work, and returns its output. */
async function typed(line: string, options: Typed = {}): Promise<string> {
  const { code, stdout, stderr } = await type(line, options);
  expect([line, code, stderr]).toEqual([line, 0, stderr]);
  return stdout;
}

/** Starts a gateway, and waits until it listens. */
async function serving(line: string): Promise<RunningCli> {
  ran.add(line);
  const cli = startCli(local(line).split(" ").slice(1), {
    sandbox: operator,
    env: { DATABASE_URL: databaseUrl },
  });
  await expect.poll(() => cli.output(), { timeout: 20_000 }).toContain("Clients connect to");
  return cli;
}

const create = (person: string): string =>
  `plugboard token create --person ${person} --name laptop --expires 90d --config gateway.jsonc`;

test("a reader goes from nothing to two people with different rights", async () => {
  await operator.writeProject("gateway.jsonc", config("Ada may do everything"));
  await using gateway = await serving("plugboard serve --config gateway.jsonc");
  expect(gateway.output()).toContain("this machine only");
  const tokens: Record<string, string> = {
    ada: (await typed(create("ada"))).trim(),
    grace: (await typed(create("grace"))).trim(),
  };
  const tools: Record<string, string> = {};
  for (const [person, token] of Object.entries(tokens)) {
    await using sandbox = await createSandboxInCi();
    const reader = { sandbox, env: { TEAM_TOKEN: token } };
    await typed(
      "plugboard add team --url http://127.0.0.1:8420/mcp --token env:TEAM_TOKEN --scope user",
      reader,
    );
    tools[person] = await typed("plugboard tools team", reader);
    const said = await typed("plugboard call team everything_echo message=hello", reader);
    expect(said).toContain("Echo: hello");
  }
  expect(tools["ada"]).toContain("everything_get-sum");
  expect(tools["grace"]).toContain("everything_echo");
  expect(tools["grace"]).not.toContain("everything_get-sum");

  const link = await typed("plugboard people administrator --config gateway.jsonc");
  expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/administrator\/[\w-]{43}\n$/);
  expect(await typed("plugboard people list --config gateway.jsonc")).toMatch(/ada +administrator/);
  const role = "plugboard people role grace auditor --config gateway.jsonc";
  expect(await typed(role)).toBe("grace: auditor\n");
  const disable = "plugboard people disable grace --config gateway.jsonc";
  expect(await typed(disable)).toBe("grace: auditor, disabled\n");
  expect(await typed("plugboard people enable grace --config gateway.jsonc")).toBe("grace: auditor\n");

  expect(await typed("plugboard audit --config gateway.jsonc")).toContain("echo");
  expect(await typed("plugboard token list --config gateway.jsonc")).toMatch(/laptop +grace +until/);
  const ofWhom = await runCli(["token", "revoke", "laptop", "--config", "gateway.jsonc"], {
    sandbox: operator,
  });
  expect([ofWhom.code, ofWhom.stderr]).toEqual([2, expect.stringContaining("Several people")]);
  const revoke = "plugboard token revoke laptop --person grace --config gateway.jsonc";
  expect(await typed(revoke)).toBe('Revoked "laptop" of grace.\n');
  const status = async (token: string | undefined): Promise<number> => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });
    return (await fetch(`http://127.0.0.1:${port}/mcp`, { method: "POST", headers, body })).status;
  };
  await expect.poll(() => status(tokens["grace"]), { timeout: 2_000 }).toBe(401);
  expect(await status(tokens["ada"])).not.toBe(401);
}, 120_000);

test("a reader adds a database, and operates it", async () => {
  const makeKey = codeSpans(guide).find((span) => span.startsWith("head "));
  const key = await operator.writeProject("key", "");
  await rm(key);
  execFileSync("sh", ["-c", makeKey?.replaceAll("/etc/plugboard/key", key) ?? "false"]);
  const withDatabase = {
    ...config("Ada may do everything"),
    ...config("DATABASE_URL"),
    keys: [{ id: "2026", file: "key" }],
  };
  await operator.writeProject("gateway.jsonc", withDatabase);
  expect(await typed("plugboard serve --config gateway.jsonc --migrate-only")).toContain("Applied");
  await typed(create("ada"));
  expect(await typed("plugboard audit verify --config gateway.jsonc")).toMatch(
    /1 entry is as it was recorded\.|entries are as they were recorded\./,
  );
  expect(await typed("plugboard audit export --format csv --config gateway.jsonc")).toContain("token/create");
  const otlp = await typed("plugboard audit export --format otlp --config gateway.jsonc");
  expect(JSON.parse(otlp)).toHaveProperty("resourceLogs");
  expect(await typed("plugboard database import ada --config gateway.jsonc")).toContain("Copied to ada");

  await writeKey("other-key");
  const keys = [
    { id: "2027", file: "other-key" },
    { id: "2026", file: "key" },
  ];
  await operator.writeProject("gateway.jsonc", { ...withDatabase, keys });
  expect(await typed("plugboard serve --config gateway.jsonc --rotate-key")).toContain('the key "2027"');
  await operator.writeProject("gateway.jsonc", { ...withDatabase, keys: [{ id: "2026b", file: "key" }] });
  const refused = await runCli(["serve", "--config", "gateway.jsonc"], {
    sandbox: operator,
    env: { DATABASE_URL: databaseUrl },
  });
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('"2027"')]);
  const lost = `plugboard database forget-key 2027 --yes --config gateway.jsonc`;
  expect(await typed(lost)).toContain("People must sign in again");

  await typed(create("grace"));
  const removed = "plugboard people delete grace --yes --config gateway.jsonc";
  expect(await typed(removed)).toBe("Deleted grace.\n");
  expect(await typed("plugboard token list --config gateway.jsonc")).not.toContain("grace");
}, 120_000);

test("a reader opens the gateway to other machines", async () => {
  const certificate = { cert: tlsFile("server.pem"), key: tlsFile("server.key") };
  const open = {
    ...config("Ada may do everything"),
    ...config("mcp.example.com"),
    listen: { address: `127.0.0.1:${port}`, tls: certificate },
  };
  await operator.writeProject("gateway.jsonc", open);
  await using gateway = await serving("plugboard serve --config gateway.jsonc --public");
  expect(gateway.output()).toContain("https://mcp.example.com/mcp");
}, 60_000);

test("every command of the guide was run", () => {
  const others = codeSpans(guide).filter((span) => /^(?:npm|export|head|pg_dump|psql|curl) \S/.test(span));
  expect(others.map((span) => span.split(" ", 2).join(" "))).toEqual([
    "npm install", // test/package installs what is published
    "export TEAM_TOKEN=pb_…",
    "npm install",
    "head -c",
    "pg_dump --schema", // both: test/team-store/backup.test.ts
    'psql "$DATABASE_URL"',
  ]);
  const elsewhere = "plugboard serve --http :7420"; // another page explains it
  expect([...shown].filter((line) => !ran.has(line) && line !== elsewhere)).toEqual([]);
});
