import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import {
  discoverMcpConfigPath,
  expandEnvVarsDeep,
  loadAllMCPConfigs,
  McpClientManager,
  parseMcpConfig,
  resolveConfigValue,
} from "../../src/compat/index.ts";
import { createHost, type JsonObject, type ServerOptions } from "../../src/index.ts";
import { reportTests } from "../durability/counts.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { hostErrorOf } from "./host-in.ts";

reportTests("copies of a repository's config: nothing is filled in or run without approval");

let sandbox: Sandbox;
/** Created by a command that must not run. */
let trace: string;
beforeEach(async () => {
  sandbox = await createSandbox();
  trace = join(sandbox.home, "was-run");
  return () => sandbox[Symbol.asyncDispose]();
});

const variables = () => ({ ...sandbox.env(), COPY_TOKEN: "s3cret-value", OTHER: "other-value" });
const inSandbox = () => ({ cwd: sandbox.project, env: variables(), home: sandbox.home });
const expand = <T extends Parameters<typeof expandEnvVarsDeep>[0]>(value: T): T =>
  expandEnvVarsDeep(value, variables());

interface Loaded {
  readonly command: string;
  readonly args: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
  readonly oauth: Readonly<Record<string, string>>;
}

async function loadRepository(repo: object): Promise<Loaded> {
  await sandbox.writeProject(".mcp.json", { mcpServers: { repo } });
  const { configs } = await loadAllMCPConfigs(sandbox.project, variables());
  return configs["repo"] as unknown as Loaded;
}

describe("expandEnvVarsDeep on a part of a repository's config", () => {
  const http = { type: "http", url: "http://127.0.0.1:9/", headers: { A: " Bearer ${COPY_TOKEN} " } };

  test.each<[string, (config: Loaded) => unknown]>([
    ["a text", ({ headers }) => expand(headers["A"] as string)],
    ["a trimmed text", ({ headers }) => expand((headers["A"] as string).trim())],
    ["a piece of a text", ({ headers }) => expand((headers["A"] as string).trim().split(" "))],
    ["a text with more around it", ({ headers }) => expand(`token: ${headers["A"]}`)],
    ["copied headers", ({ headers }) => expand({ ...headers })],
    ["a list of the values", ({ headers }) => expand(Object.values(headers))],
    ["a copy in another object", ({ headers }) => expand({ url: "x", headers: { ...headers } })],
    ["JSON text", (config) => expand(JSON.stringify(config))],
    ["a text that was expanded twice", ({ headers }) => expand(expand(headers["A"] as string))],
  ])("expands no variable: %s", async (_, use) => {
    const result = JSON.stringify(use(await loadRepository(http)));
    expect(result).not.toContain("s3cret-value");
    expect(result).toContain("${COPY_TOKEN}");
  });

  test("still expands the user's own config, even if a repository has the same text", async () => {
    await sandbox.writeHome(".plugboard/mcp.json", {
      mcpServers: { mine: { ...http, headers: { A: http.headers.A, B: "${OTHER}" } } },
    });
    await loadRepository(http);
    const { configs } = await loadAllMCPConfigs(sandbox.project, variables());
    expect(expand({ ...configs })["mine"]).toMatchObject({
      headers: { A: " Bearer s3cret-value ", B: "other-value" },
    });
    expect(expand(structuredClone(configs["mine"] as JsonObject))).toMatchObject({
      headers: { B: "other-value" },
    });
  });
});

test("expandEnvVarsDeep does not treat a piece of a repository's text as the user's own", async () => {
  const headers = { A: "${COPY_TOKEN}" };
  await sandbox.writeHome(".plugboard/mcp.json", {
    mcpServers: { mine: { type: "http", url: "http://127.0.0.1:8/", headers } },
  });
  const config = await loadRepository({
    type: "http",
    url: "http://127.0.0.1:9/",
    headers: { A: "Bearer ${COPY_TOKEN} " },
  });
  const [, piece = ""] = (config.headers["A"] ?? "").split(" ");
  expect(expand(piece)).toBe("${COPY_TOKEN}");
});

describe("resolveConfigValue on a text of a repository's config", () => {
  test.each<[string, () => object, (config: Loaded) => string]>([
    [
      "a default",
      () => headersWith(`\${NOPE:-!touch ${trace}}`),
      ({ headers }) => expand(headers["A"] ?? ""),
    ],
    ["a trimmed text", () => headersWith(` !touch ${trace}`), ({ headers }) => (headers["A"] ?? "").trim()],
    ["a piece", () => headersWith(`Bearer !touch ${trace}`), ({ headers }) => (headers["A"] ?? "").slice(7)],
    ["a command", () => ({ command: `!touch ${trace}` }), ({ command }) => command],
    ["an argument", () => ({ command: "x", args: [`!touch ${trace}`] }), ({ args }) => args[0] ?? ""],
    ["a value of env", () => ({ command: "x", env: { A: `!touch ${trace}` } }), ({ env }) => env["A"] ?? ""],
    [
      "a value deep inside",
      () => ({ type: "http", url: "http://127.0.0.1:9/", oauth: { clientSecret: `!touch ${trace}` } }),
      ({ oauth }) => oauth["clientSecret"] ?? "",
    ],
  ])("runs no command: %s", async (_, entry, use) => {
    await resolveConfigValue(use(await loadRepository(entry())), variables());
    expect(existsSync(trace)).toBe(false);
  });

  test.each<[string, (config: Loaded) => string]>([
    ["as it is", ({ oauth }) => oauth["clientSecret"] ?? ""],
    ["a piece of another text", ({ headers }) => (headers["A"] ?? "").split(" ")[1] ?? ""],
  ])("does not treat text as the name of a variable: %s", async (_, use) => {
    const config = await loadRepository({
      type: "http",
      url: "http://127.0.0.1:9/",
      headers: { A: "Bearer COPY_TOKEN" },
      oauth: { clientSecret: "COPY_TOKEN" },
    });
    expect(await resolveConfigValue(use(config), variables())).toBe("COPY_TOKEN");
  });

  const headersWith = (value: string) => ({
    type: "http",
    url: "http://127.0.0.1:9/",
    headers: { A: value },
  });
});

describe("a server that a program made from a repository's config", () => {
  const entry = () => ({ command: "sh", args: ["-c", ` touch ${trace} # \${COPY_TOKEN}`] });

  test.each<[string, (config: Loaded) => object]>([
    ["expanded arguments", (config) => ({ ...config, args: expand(config.args) })],
    [
      "each argument expanded",
      ({ command, args }) => ({ command, args: args.map((argument) => expand(argument)) }),
    ],
    [
      "trimmed arguments",
      ({ command, args }) => ({ command, args: args.map((argument) => argument.trim()) }),
    ],
    ["more arguments", ({ command, args }) => ({ command, args: [...args, "--verbose"] })],
    ["a wrapper", ({ command, args }) => ({ command: "/usr/bin/env", args: [command, ...args] })],
    [
      "a wrapper and more",
      ({ command, args }) => ({ command: "env", args: ["-u", "X", command, ...args, "y"] }),
    ],
  ])("needs approval: %s", async (_, make) => {
    const repo = make(await loadRepository(entry())) as ServerOptions;
    await using host = await createHost({ ...inSandbox(), servers: { repo }, discover: false });
    expect((await hostErrorOf(host.connect("repo"))).reason).toBe("trust");
    expect(existsSync(trace)).toBe(false);
  });

  test.each<[string, object]>([
    ["without arguments", {}],
    ["with null for its arguments", { args: null }],
    ["with undefined for its arguments", { args: undefined }],
  ])("needs approval even if its entry has no arguments: %s", async (_, change) => {
    const { command } = await loadRepository({ command: "touch-nothing", args: [] });
    const repo = { command, ...change } as ServerOptions;
    await using host = await createHost({ ...inSandbox(), servers: { repo }, discover: false });
    expect((await hostErrorOf(host.connect("repo"))).reason).toBe("trust");
  });

  test("needs approval if the program parsed its URL", async () => {
    await loadRepository({ type: "http", url: "HTTP://127.0.0.1:9" });
    const repo = { type: "http", url: new URL("HTTP://127.0.0.1:9").href } as const;
    await using host = await createHost({ ...inSandbox(), servers: { repo }, discover: false });
    expect((await hostErrorOf(host.connect("repo"))).reason).toBe("trust");
  });

  test("is the program's own if it only starts the same program", async () => {
    await loadRepository({ command: "node", args: ["-e"] });
    const own = { command: "node", args: ["-e", "process.exit(3)"] };
    await using host = await createHost({ ...inSandbox(), servers: { own }, discover: false });
    expect((await hostErrorOf(host.connect("own"))).reason).not.toBe("trust");
  });
});

describe("a ToolLoop file of a repository", () => {
  const FILE = "codex-toolloop.mcp.json";

  test("needs approval if the program found it with discoverMcpConfigPath and read it itself", async () => {
    const transport = { type: "stdio", command: "touch", args: [trace] };
    await sandbox.writeProject(FILE, { servers: { repo: { trust: "trusted", transport } } });
    const path = (await discoverMcpConfigPath({ cwd: sandbox.project })) ?? "";
    const config = parseMcpConfig(JSON.parse(await readFile(path, "utf8")));
    const manager = new McpClientManager({ ...config, host: inSandbox() });
    expect((await hostErrorOf(manager.getClient("repo"))).reason).toBe("trust");
    await manager.closeAll();
    expect(existsSync(trace)).toBe(false);
  });

  test.each([
    ["of another kind", "{ not JSON"],
    ["with unknown keys", '{ "servers": {}, "x": 1 }'],
  ])("is found by discoverMcpConfigPath even if it is %s", async (_, text) => {
    await sandbox.writeProject(FILE, text);
    expect(await discoverMcpConfigPath({ cwd: sandbox.project })).toBe(join(sandbox.project, FILE));
  });
});
