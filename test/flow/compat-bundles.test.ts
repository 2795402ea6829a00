import { beforeEach, expect, test } from "vitest";
import {
  loadMcpConfig,
  McpClientManager,
  type McpServerConfig,
  parseMcpConfig,
} from "../../src/compat/index.ts";
import { serveHttp } from "../../src/testing/index.ts";
import { reportTests } from "../durability/counts.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";

reportTests("a repository's bundles: they open no server of the program");

const FILE = "codex-toolloop.mcp.json";
const script = { name: "s", version: "1", tools: { t: { run: () => "1" }, u: { run: () => "2" } } };
let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await createSandbox();
  return () => sandbox[Symbol.asyncDispose]();
});
const variables = () => sandbox.env();
const managerOf = (config: ConstructorParameters<typeof McpClientManager>[0]) =>
  new McpClientManager({
    ...config,
    host: { cwd: sandbox.project, env: variables(), home: sandbox.home },
  });

type Config = Awaited<ReturnType<typeof loadMcpConfig>>["config"];
const BUNDLE = { serverId: "mine", mode: "direct", allowTools: ["t"] } as const;
const overrides = (url: string, trust: McpServerConfig["trust"]) => ({
  servers: { mine: { trust, transport: { type: "http", url } } },
});

test.each<[string, (config: Config) => Config]>([
  ["as loaded", (config) => config],
  ["cloned", (config) => structuredClone(config)],
  ["parsed again", (config) => parseMcpConfig(JSON.parse(JSON.stringify(config)))],
  [
    "with a new bundle object",
    ({ servers, bundles }) => ({
      servers,
      bundles: Object.fromEntries(Object.entries(bundles).map(([id, bundle]) => [id, { ...bundle }])),
    }),
  ],
])("a repository's bundle cannot allow tools of the program's untrusted server: %s", async (_, handOver) => {
  await using server = await serveHttp(script);
  await sandbox.writeProject(FILE, { servers: {}, bundles: { b: BUNDLE } });
  const { config } = await loadMcpConfig({
    cwd: sandbox.project,
    env: variables(),
    overrides: overrides(server.url, "untrusted"),
  });
  const manager = managerOf(handOver(config));
  expect(Object.keys(await manager.getTools("mine").catch(() => ({})))).toEqual([]);
  await manager.closeAll();
});

test("a repository's bundle can restrict the tools of the program's trusted server", async () => {
  await using server = await serveHttp(script);
  await sandbox.writeProject(FILE, { servers: {}, bundles: { b: BUNDLE } });
  const { config } = await loadMcpConfig({
    cwd: sandbox.project,
    env: variables(),
    overrides: overrides(server.url, "trusted"),
  });
  const manager = managerOf(config);
  expect(Object.keys(await manager.getTools("mine"))).toEqual(["t"]);
  await manager.closeAll();
});

test("a repository's bundle does not restrict an untrusted server whose tools the program's own bundle allows", async () => {
  await using server = await serveHttp(script);
  await sandbox.writeProject(FILE, { servers: {}, bundles: { b: BUNDLE } });
  const { config } = await loadMcpConfig({
    cwd: sandbox.project,
    env: variables(),
    overrides: { ...overrides(server.url, "untrusted"), bundles: { own: BUNDLE } },
  });
  const manager = managerOf(config);
  expect(Object.keys(await manager.getTools("mine"))).toEqual(["t"]);
  await manager.closeAll();
});
