import { existsSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import {
  discoverAndLoadMCPTools,
  expandEnvVarsDeep,
  loadAllMCPConfigs,
  loadMcpConfig,
  type McpBundleConfig,
  McpClientManager,
  type McpServerConfig,
  parseMcpConfig,
  resolveConfigValue,
} from "../../src/compat/index.ts";
import { createHost, type ServerOptions } from "../../src/index.ts";
import { type ServeHttpOptions, serveHttp } from "../../src/testing/index.ts";
import { reportTests } from "../durability/counts.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { failureOf, hostErrorOf, hostIn } from "./host-in.ts";

reportTests("configs loaded through compat: nothing is run without approval");

const FILE = "codex-toolloop.mcp.json";
let sandbox: Sandbox;
/** What a command in a config would leave behind. */
let trace: string;
beforeEach(async () => {
  sandbox = await createSandbox();
  trace = join(sandbox.home, "was-run");
  return () => sandbox[Symbol.asyncDispose]();
});

type Servers = Readonly<Record<string, McpServerConfig>>;
const variables = () => ({ ...sandbox.env(), MY_TOKEN: "s3cret-value", REPO_TOKEN: "s3cret-value" });
const inSandbox = () => ({ cwd: sandbox.project, env: variables(), home: sandbox.home });
const managerOf = (servers: Servers, bundles: Readonly<Record<string, McpBundleConfig>> = {}) =>
  new McpClientManager({ servers, bundles, host: inSandbox() });
const load = () => loadMcpConfig({ cwd: sandbox.project, env: variables() });
const approve = async (name: string) => {
  await using host = await hostIn(sandbox);
  await host.approvals.approve(name, host.approvals.request(name).hash);
};

/** A server that notes the headers of its requests. */
async function listening() {
  const headers: Record<string, unknown>[] = [];
  const guard: ServeHttpOptions["guard"] = (request) => {
    headers.push(request.headers);
    return undefined;
  };
  const script = { name: "s", version: "1", tools: { read: { run: () => "3" }, write: { run: () => "4" } } };
  const server = await serveHttp(script, { guard });
  return { url: server.url, headers, [Symbol.asyncDispose]: () => server.close() };
}

const hostile = (url: string) => ({
  trust: "untrusted",
  transport: {
    type: "http",
    url,
    headers: { "X-Run": `!touch ${trace}; echo ran`, "X-Token": "MY_TOKEN", "X-Braced": "${MY_TOKEN}" },
  },
});
const BUNDLE = { serverId: "repo", mode: "direct", allowTools: ["read"] } as const;
const writeRepository = (url: string) =>
  sandbox.writeProject(FILE, { servers: { repo: hostile(url) }, bundles: { one: BUNDLE } });

/** Ways in which a program passes on a loaded server. */
const HANDOVERS: readonly (readonly [string, (server: McpServerConfig) => McpServerConfig])[] = [
  ["as it is", (server) => server],
  ["spread", (server) => ({ ...server, trust: "trusted" })],
  ["with a new transport", (server) => ({ ...server, transport: { ...server.transport } })],
  ["with the transport alone", ({ transport }) => ({ trust: "trusted", transport })],
  ["cloned", (server) => structuredClone(server)],
  ["after a JSON round trip", (server) => JSON.parse(JSON.stringify(server)) as McpServerConfig],
  [
    "parsed again",
    (server) => parseMcpConfig({ servers: { repo: server } }).servers["repo"] as McpServerConfig,
  ],
  [
    "with a field more in new objects",
    ({ transport }) => ({
      trust: "trusted",
      transport: { ...transport, headers: { Mine: "1" } } as McpServerConfig["transport"],
    }),
  ],
  [
    "with the headers alone",
    ({ transport }) => ({
      trust: "trusted",
      transport: { type: "http", url: (transport as { url: string }).url, headers: headersOf(transport) },
    }),
  ],
];
const headersOf = (transport: McpServerConfig["transport"]) =>
  (transport as { headers: Readonly<Record<string, string>> }).headers;

describe("a server that loadMcpConfig read from a repository's file", () => {
  test.each(HANDOVERS)("is not run by the manager without approval: %s", async (_, handOver) => {
    await using server = await listening();
    await writeRepository(server.url);
    const { config, tiers } = await load();
    const repo = handOver(config.servers["repo"] as McpServerConfig);
    const manager = managerOf({ repo }, config.bundles);
    const error = await hostErrorOf(manager.getClient("repo"));
    await hostErrorOf(manager.getTools("repo"));
    await manager.closeAll();
    expect([error.code, error.reason]).toEqual(["INTERACTION_REQUIRED", "trust"]);
    expect([server.headers, existsSync(trace), { ...tiers }]).toEqual([[], false, { repo: "project" }]);
  });

  test.each(HANDOVERS)("is not run by a host without approval: %s", async (_, handOver) => {
    await using server = await listening();
    await writeRepository(server.url);
    const { config } = await load();
    const { transport, trust } = handOver(config.servers["repo"] as McpServerConfig);
    const repo = { ...transport, trust, allowTools: ["read"] } as ServerOptions;
    await using host = await createHost({ ...inSandbox(), servers: { repo }, discover: false });
    expect((await hostErrorOf(host.connect("repo"))).reason).toBe("trust");
    expect([server.headers, existsSync(trace)]).toEqual([[], false]);
  });

  test("is not run when its file is named by path or passed on as overrides", async () => {
    await using server = await listening();
    await writeRepository(server.url);
    const env = variables();
    const byPath = await loadMcpConfig({ path: join(sandbox.project, FILE), cwd: sandbox.home, env });
    const { config: overrides } = byPath;
    const passedOn = await loadMcpConfig({ overrides, cwd: sandbox.home, env });
    for (const { config } of [byPath, passedOn]) {
      const manager = managerOf(config.servers, config.bundles);
      expect((await hostErrorOf(manager.getClient("repo"))).reason).toBe("trust");
      await manager.closeAll();
    }
    expect([server.headers, existsSync(trace)]).toEqual([[], false]);
  });

  test("runs once plugboard trust approved it, with its values as plain text", async () => {
    await using server = await listening();
    await writeRepository(server.url);
    await approve("repo");
    const { config } = await load();
    const manager = managerOf(config.servers, config.bundles);
    expect(Object.keys(await manager.getTools("repo"))).toEqual(["read"]);
    const problems = (await manager.problems()).map(({ message }) => message);
    await manager.closeAll();
    const literal = {
      "x-run": `!touch ${trace}; echo ran`,
      "x-token": "MY_TOKEN",
      "x-braced": "${MY_TOKEN}",
    };
    expect(server.headers[0]).toMatchObject(literal);
    expect(existsSync(trace)).toBe(false);
    for (const header of ["X-Run", "X-Token", "X-Braced"])
      expect(problems).toContain(
        `${join(sandbox.project, FILE)} server "repo": headers.${header} is sent as written; values in ToolLoop configs are plain text`,
      );
  });

  test("is not started when the program adds a folder to its command", async () => {
    const started = join(sandbox.home, "started");
    const transport = { type: "stdio", command: "touch", args: [started] };
    await sandbox.writeProject(FILE, { servers: { repo: { trust: "trusted", transport } } });
    const { config } = await load();
    const changed = { trust: "trusted", transport: { ...transport, args: [started], cwd: sandbox.project } };
    for (const repo of [config.servers["repo"], changed] as McpServerConfig[]) {
      const manager = managerOf({ repo });
      expect((await hostErrorOf(manager.getClient("repo"))).reason).toBe("trust");
      await manager.closeAll();
    }
    expect(existsSync(started)).toBe(false);
  });

  test("requires approval again if the program changes it, or if its file has changed", async () => {
    await using server = await listening();
    await writeRepository(server.url);
    await approve("repo");
    const { config } = await load();
    const repo = config.servers["repo"] as McpServerConfig;
    const changed = { ...repo, transport: { ...repo.transport, url: `${server.url}?other` } };
    const manager = managerOf({ repo: changed }, config.bundles);
    expect((await hostErrorOf(manager.getClient("repo"))).reason).toBe("trust");
    await manager.closeAll();
    await sandbox.writeProject(FILE, { servers: { repo: { ...hostile(server.url), trust: "trusted" } } });
    const { config: later } = await load();
    const again = managerOf(later.servers);
    expect((await hostErrorOf(again.getClient("repo"))).reason).toBe("trust");
    await again.closeAll();
  });

  test("can be approved by the program's own question", async () => {
    await using server = await listening();
    await writeRepository(server.url);
    const { config } = await load();
    const asked: string[] = [];
    const manager = new McpClientManager({
      ...config,
      host: {
        ...inSandbox(),
        onApproval: ({ server: name, source }) => (asked.push(`${name} ${source.file}`), true),
      },
    });
    expect((await (await manager.getClient("repo")).listTools()).tools).toMatchObject([{ name: "read" }]);
    await manager.closeAll();
    expect(asked).toEqual([`repo ${join(sandbox.project, FILE)}`]);
  });
});

describe("a server of the program's own", () => {
  test("runs without approval, with its values as plain text", async () => {
    await using server = await listening();
    const repo = { ...hostile(server.url), trust: "trusted" } as McpServerConfig;
    const manager = managerOf({ repo });
    await manager.getClient("repo");
    const problems = await manager.problems();
    await manager.closeAll();
    expect(server.headers[0]).toMatchObject({ "x-token": "MY_TOKEN", "x-braced": "${MY_TOKEN}" });
    expect([existsSync(trace), problems.length]).toEqual([false, 3]);
  });

  test("can also come from overrides or from the user's variable, with its values as plain text", async () => {
    await using server = await listening();
    const repo = { ...hostile(server.url), trust: "trusted" };
    const inline = { ...variables(), PLUGBOARD_MCP_CONFIG_JSON: JSON.stringify({ servers: { repo } }) };
    const file = await sandbox.writeHome("mine.json", { servers: { repo } });
    await writeRepository(server.url);
    await load(); // that a repository has the same server does not matter
    const named = { ...variables(), CODEX_TOOLLOOP_MCP_CONFIG_PATH: file };
    for (const options of [{ overrides: { servers: { repo } }, env: {} }, { env: inline }, { env: named }]) {
      const { config, tiers } = await loadMcpConfig({ cwd: sandbox.home, ...options });
      expect({ ...tiers }).toEqual({ repo: "user" });
      const manager = managerOf(config.servers);
      await manager.getClient("repo");
      await manager.closeAll();
    }
    expect(server.headers.every((headers) => headers["x-token"] === "MY_TOKEN")).toBe(true);
    expect(existsSync(trace)).toBe(false);
  });
});

describe("a server that loadAllMCPConfigs read", () => {
  const readAll = () => loadAllMCPConfigs(sandbox.project, variables());

  test("is not run by a host without approval when a repository's file has it", async () => {
    await using server = await listening();
    const headers = { "X-Run": `!touch ${trace}; echo ran`, "X-Token": "REPO_TOKEN" };
    const repo = { type: "http", url: server.url, headers };
    await sandbox.writeProject(".plugboard/mcp.json", { mcpServers: { repo } });
    const { configs } = await readAll();
    const copies = [configs, structuredClone(configs), expandEnvVarsDeep({ ...configs }, variables())];
    for (const servers of copies) {
      await using host = await createHost({ ...inSandbox(), servers, discover: false });
      expect((await failureOf(host.connect("repo"))).code).toBe("INTERACTION_REQUIRED");
    }
    expect(await resolveConfigValue(headers["X-Run"], variables())).toBeUndefined();
    expect(await resolveConfigValue("REPO_TOKEN", variables())).toBe("REPO_TOKEN");
    expect([server.headers, existsSync(trace)]).toEqual([[], false]);
    await approve("repo");
    await using host = await createHost({ ...inSandbox(), servers: configs, discover: false });
    await host.connect("repo");
    expect(server.headers[0]).toMatchObject({ "x-run": "ran", "x-token": "s3cret-value" });
  });

  test("keeps the rules of the tool that owns its file", async () => {
    await using server = await listening();
    const headers = { "X-Run": `!touch ${trace}; echo ran`, "X-Token": "MY_TOKEN" };
    const mine = { url: server.url, headers };
    await sandbox.writeHome(".cursor/mcp.json", { mcpServers: { mine } });
    const { configs } = await readAll();
    await using host = await createHost({ ...inSandbox(), servers: configs, discover: false });
    await host.connect("mine");
    expect(server.headers[0]).toMatchObject({ "x-run": headers["X-Run"], "x-token": "MY_TOKEN" });
    expect(existsSync(trace)).toBe(false);
  });

  test("is the user's own entry while a repository's entry of the same name waits for approval", async () => {
    await sandbox.writeHome(".plugboard/mcp.json", { mcpServers: { same: { command: "mine" } } });
    await sandbox.writeProject(".mcp.json", { mcpServers: { same: { command: "theirs" } } });
    expect((await readAll()).configs).toMatchObject({ same: { command: "mine" } });
  });
});

test("discoverAndLoadMCPTools reports every value that was omitted", async () => {
  await using server = await listening();
  const headers = { "X-Run": "!exit 3", "X-Unset": "${NOT_SET}" };
  await sandbox.writeHome(".plugboard/mcp.json", {
    mcpServers: { mine: { type: "http", url: server.url, headers } },
  });
  const { manager, problems } = await discoverAndLoadMCPTools(sandbox.project, inSandbox());
  await manager.disconnectAll();
  const messages = problems.map(({ message }) => message).join("\n");
  expect(messages).toMatch(/headers\.X-Run is the output of a command/);
  expect(messages).toMatch(/headers\.X-Unset needs \$\{NOT_SET\}/);
});
