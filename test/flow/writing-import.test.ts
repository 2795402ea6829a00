import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { SERVER_FIELDS } from "../../src/inventory/index.ts";
import { createSandbox, type FileContent, type Sandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";
import { failureOf, hostIn } from "./host-in.ts";

const CONFIG = ".plugboard/mcp.json";

async function ownServers(sandbox: Sandbox): Promise<unknown> {
  return JSON.parse(await readFile(join(sandbox.home, CONFIG), "utf8")).mcpServers;
}

describe("an imported server says the same in native words", () => {
  test.each<[tool: string, file: string, content: FileContent, expected: unknown]>([
    [
      "cursor",
      ".cursor/mcp.json",
      {
        mcpServers: {
          local: { command: "npx", args: ["--key", "${env:API_KEY}"], env: { A: "x-${env:A}", B: "plain" } },
          web: { url: "https://host/${env:TENANT}", headers: { Authorization: "Bearer ${env:TOKEN}" } },
        },
      },
      {
        local: {
          type: "stdio",
          command: "npx",
          args: ["--key", "${API_KEY}"],
          env: { A: "x-${A}", B: "plain" },
        },
        web: { type: "http", url: "https://host/${TENANT}", headers: { Authorization: "Bearer ${TOKEN}" } },
      },
    ],
    [
      "opencode",
      ".config/opencode/opencode.json",
      {
        mcp: {
          local: {
            type: "local",
            command: ["node", "{env:SCRIPT}"],
            environment: { KEY: "{env:KEY}" },
            timeout: 9000,
          },
          web: { type: "remote", url: "https://host/mcp", headers: { "X-Key": "{env:KEY}" }, enabled: false },
        },
      },
      {
        local: { type: "stdio", command: "node", args: ["${SCRIPT}"], env: { KEY: "${KEY}" }, timeout: 9000 },
        web: { type: "http", url: "https://host/mcp", headers: { "X-Key": "${KEY}" }, enabled: false },
      },
    ],
    [
      "cline",
      ".cline/data/settings/cline_mcp_settings.json",
      { mcpServers: { local: { command: "node", timeout: 9 } } },
      { local: { type: "stdio", command: "node", timeout: 9000, startupTimeout: 30_000 } }, // Cline's is for calls only
    ],
    [
      "gemini",
      ".gemini/settings.json",
      { mcpServers: { local: { command: "node", env: { A: "$A", B: "${B}", C: "${C:-c}" } } } },
      { local: { type: "stdio", command: "node", env: { A: "${A}", B: "${B}", C: "${C:-c}" } } },
    ],
    [
      "codex",
      ".codex/config.toml",
      `[mcp_servers.web]
url = "https://host/mcp"
bearer_token_env_var = "TOKEN"
http_headers = { "X-Region" = "eu" }
env_http_headers = { "X-Key" = "KEY" }

[mcp_servers.local]
command = "node"
startup_timeout_sec = 20
tool_timeout_sec = 60
env_vars = ["HTTP_PROXY"]
`,
      {
        web: {
          type: "http",
          url: "https://host/mcp",
          headers: { "X-Region": "eu", Authorization: "Bearer ${TOKEN}", "X-Key": "${KEY}" },
        },
        local: {
          type: "stdio",
          command: "node",
          startupTimeout: 20_000,
          timeout: 60_000,
          inheritEnv: ["HTTP_PROXY"],
        },
      },
    ],
  ])("%s", async (tool, file, content, expected) => {
    await using sandbox = await createSandbox();
    const path = await sandbox.writeHome(file, content);
    const before = await readFile(path, "utf8");
    await using host = await hostIn(sandbox);
    const { skipped } = await host.config.importFrom({ tool, scope: "user" });
    expect(skipped).toEqual([]);
    expect(await ownServers(sandbox)).toEqual(expected);
    expect(await readFile(path, "utf8")).toBe(before);
    expect(host.servers().map(({ source }) => source.tool)).toEqual(
      Object.keys(expected as object).map(() => "plugboard"),
    );
  });
});

describe("an imported server of Plugboard's own format", () => {
  /** A value for every field of an entry. */
  const LOCAL = {
    type: "stdio",
    command: "node",
    args: ["/srv/x.mjs"],
    env: { A: "${A}" },
    envFile: "/srv/.env",
    cwd: "/srv",
    timeout: 5000,
    startupTimeout: 6000,
    installTimeout: 7000,
    trust: "untrusted",
    allowTools: ["a"],
    denyTools: ["b"],
    approval: { a: "ask" },
    pins: "hold",
    protocol: "2025-11-25",
    inheritEnv: ["HTTP_PROXY"],
    eager: false,
    idleStopMs: 1000,
    toolsTtlMs: 2000,
    wrap: ["/usr/bin/env", "SANDBOX=1"],
    resolveInProject: false,
    share: "session",
    maxMemoryMb: 512,
    label: "L",
    description: "D",
    bundles: { one: ["a"] },
  };
  const REMOTE = {
    type: "http",
    url: "https://h.test/mcp",
    headers: { A: "${A}" },
    headersHelper: "/srv/headers",
    auth: { type: "oauth", account: "work" },
    oauth: { clientId: "me" },
    authProviderId: "corp",
    enabled: false,
  };

  /** An entry cannot have both `sandbox` and `wrap`. */
  const SANDBOXED = {
    type: "stdio",
    command: "node",
    args: ["/srv/a.mjs"],
    sandbox: { read: ["/srv/data"] },
  };
  const ALL = { local: LOCAL, remote: REMOTE, sandboxed: SANDBOXED };

  test("keeps every field", async () => {
    expect(new Set(Object.values(ALL).flatMap((entry) => Object.keys(entry)))).toEqual(
      new Set(SERVER_FIELDS),
    );
    await using sandbox = await createSandbox();
    const env = {
      ...sandbox.env(),
      PLUGBOARD_MCP_CONFIG_JSON: JSON.stringify({ mcpServers: ALL }),
    };
    await using host = await hostIn(sandbox, { env });
    expect(await host.config.importFrom({ tool: "environment", scope: "user" })).toMatchObject({
      skipped: [],
    });
    expect(await ownServers(sandbox)).toEqual(ALL);
  });

  test("keeps a project's sandbox and rules in the user's file", async () => {
    await using sandbox = await createSandbox();
    const rules = { wrap: LOCAL.wrap, approval: "ask", pins: "hold" };
    await sandbox.writeProject(CONFIG, { mcpServers: { x: { command: "node", args: ["x.mjs"], ...rules } } });
    await using host = await hostIn(sandbox);
    await host.approvals.approve("x", host.approvals.request("x").hash);
    await host.config.importFrom({ tool: "plugboard", scope: "user" });
    expect(await ownServers(sandbox)).toMatchObject({ x: { ...rules, cwd: sandbox.project } });
  });
});

test("a server of another tool is not copied if the copy would lose its sandbox", async () => {
  await using sandbox = await createSandbox();
  await sandbox.writeHome(".cursor/mcp.json", { mcpServers: { x: { command: "node", wrap: ["bwrap"] } } });
  await using host = await hostIn(sandbox);
  expect((await host.config.importFrom({ tool: "cursor", scope: "user" })).skipped).toEqual([
    { name: "x", reason: 'its "wrap" has no effect in a file of cursor, and a copy would not have it' },
  ]);
});

test("a path that is relative to the other tool's folder becomes absolute", async () => {
  await using sandbox = await createSandbox();
  await sandbox.writeHome(".mcporter/mcporter.json", {
    mcpServers: { a: { command: "x" }, b: { command: "x", cwd: "sub" }, c: { command: "x", cwd: "/srv" } },
  });
  await using host = await hostIn(sandbox);
  await host.config.importFrom({ tool: "mcporter", scope: "user" });
  const folder = join(sandbox.home, ".mcporter");
  expect(await ownServers(sandbox)).toMatchObject({
    a: { cwd: folder },
    b: { cwd: join(folder, "sub") },
    c: { cwd: "/srv" },
  });
});

test("only the named servers are copied, and an unknown one is reported", async () => {
  await using sandbox = await createSandbox();
  await sandbox.writeHome(".cursor/mcp.json", { mcpServers: { a: { command: "a" }, b: { command: "b" } } });
  await using host = await hostIn(sandbox);
  const file = join(sandbox.home, CONFIG);
  expect(await host.config.importFrom({ tool: "cursor", names: ["b", "c"], scope: "user" })).toEqual({
    written: [{ name: "b", file, scope: "user" }],
    skipped: [{ name: "c", reason: "there is no server with this name" }],
  });
  expect(await ownServers(sandbox)).toEqual({ b: { type: "stdio", command: "b" } });
});

test("a server that cannot be copied is skipped with a reason, and does not affect others", async () => {
  await using sandbox = await createSandbox();
  const file = await sandbox.writeHome(CONFIG, { mcpServers: { taken: { command: "mine" } } });
  await sandbox.writeHome(".cursor/mcp.json", {
    mcpServers: {
      taken: { command: "theirs" },
      broken: { args: ["x"] },
      "my server": { command: "x" },
      folder: { command: "x", args: ["${workspaceFolder}"] },
      bang: { command: "x", env: { KEY: "!rm -rf it" } },
      good: { command: "x" },
    },
  });
  await using host = await hostIn(sandbox);
  expect(await host.config.importFrom({ tool: "cursor", scope: "user" })).toEqual({
    written: [{ name: "good", file, scope: "user" }],
    skipped: [
      { name: "taken", reason: `Server "taken" already exists in ${file}` },
      { name: "broken", reason: "its entry cannot be used" },
      {
        name: "my server",
        reason:
          "Invalid server config: Server name can only contain letters, numbers, dash, underscore and dot",
      },
      { name: "folder", reason: 'only cursor can resolve ${workspaceFolder} in "args"' },
      { name: "bang", reason: '"env.KEY" is plain text in cursor but would be a command here' },
    ],
  });
});

test("import and export give every reason why a server cannot be carried over, in the same words", async () => {
  await using sandbox = await createSandbox();
  const x = { command: "${userHome}/x", args: ["${workspaceFolder}"] };
  await sandbox.writeHome(".cursor/mcp.json", { mcpServers: { x } });
  await using host = await hostIn(sandbox);
  const reason =
    'only cursor can resolve ${userHome} in "command"; only cursor can resolve ${workspaceFolder} in "args"';
  const { skipped } = await host.config.importFrom({ tool: "cursor", scope: "user" });
  expect(skipped).toEqual([{ name: "x", reason }]);
  const plan = await host.config.planExport({ tool: "vscode", scope: "user", names: ["x"] });
  expect(plan.skipped).toEqual([{ server: "x", reason }]);
});

test("text that its own tool does not expand is not copied to a file where it would be expanded", async () => {
  await using sandbox = await createSandbox();
  await sandbox.writeHome(".codex/config.toml", '[mcp_servers.x]\ncommand = "x"\nenv = { A = "${HOME}" }\n');
  await using host = await hostIn(sandbox);
  expect((await host.config.importFrom({ tool: "codex", scope: "user" })).skipped).toEqual([
    { name: "x", reason: 'only codex can resolve ${HOME} in "env.A"' },
  ]);
});

test.each([
  ["claude-code", ".mcp.json"],
  ["cursor", ".cursor/mcp.json"],
])(
  "text of an approved server of %s stays text when it is imported, even if it is a variable's name",
  async (tool, file) => {
    await using sandbox = await createSandbox();
    const server = stdioServer("tools-server.mjs");
    await sandbox.writeProject(file, { mcpServers: { theirs: { ...server, env: { MODE: "WORK_CODE" } } } });
    await using host = await hostIn(sandbox, { env: { ...sandbox.env(), WORK_CODE: "hunter2" } });
    await host.approvals.approve("theirs", host.approvals.request("theirs").hash);
    expect((await host.config.importFrom({ tool, scope: "user" })).written).toMatchObject([
      { name: "theirs" },
    ]);
    expect(host.servers()).toMatchObject([{ name: "theirs", source: { tool: "plugboard" } }]);
    expect((await host.call("theirs", "env", { name: "MODE" })).text).toBe("WORK_CODE");
  },
);

test.each(["user", "project"] as const)(
  "a project's server without approval is not copied to the %s's file",
  async (scope) => {
    await using sandbox = await createSandbox();
    await sandbox.writeProject(".cursor/mcp.json", { mcpServers: { theirs: { command: "evil" } } });
    await sandbox.writeHome(".cursor/mcp.json", { mcpServers: { mine: { command: "node" } } });
    await using host = await hostIn(sandbox);
    const { written, skipped } = await host.config.importFrom({ tool: "cursor", scope });
    expect([written.map(({ name }) => name), skipped]).toEqual([
      ["mine"],
      [{ name: "theirs", reason: "it requires your approval" }],
    ]);
    await host.approvals.approve("theirs", host.approvals.request("theirs").hash);
    expect((await host.config.importFrom({ tool: "cursor", names: ["theirs"], scope })).written).toHaveLength(
      1,
    );
  },
);

test("a server.json is a template: it is never enabled, and import installs it after approval", async () => {
  await using sandbox = await createSandbox();
  const named = (name: string) => ({ name, isRequired: true });
  await sandbox.writeProject("server.json", {
    $schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
    name: "io.github.acme/weather",
    description: "Weather forecasts",
    packages: [
      {
        registryType: "npm",
        identifier: "@acme/weather-mcp",
        version: "1.4.2",
        transport: { type: "stdio" },
        packageArguments: [
          { type: "named", name: "--units", value: "{units}", variables: { units: { default: "--unseen" } } },
        ],
        environmentVariables: [named("WEATHER_KEY"), { name: "MODE", default: "fast" }],
      },
    ],
  });
  await using host = await hostIn(sandbox, { trustProject: true });
  const [template] = host.servers();
  expect(template).toMatchObject({ name: "io.github.acme/weather", enabled: false, state: "disabled" });
  expect(host.doctor.diagnose().findings).toContainEqual({
    server: "io.github.acme/weather",
    severity: "info",
    message: '"io.github.acme/weather" is a template that describes how to run a server.',
    hint: "Approve it, then import it from server-json to install it.",
  });
  const request = { tool: "server-json", scope: "user" } as const;
  expect((await host.config.importFrom(request)).skipped).toMatchObject([
    { reason: "it requires your approval" },
  ]);
  await host.approvals.approve(
    "io.github.acme/weather",
    host.approvals.request("io.github.acme/weather").hash,
  );
  expect((await host.config.importFrom(request)).written).toMatchObject([
    { name: "weather", variables: ["MCP_WEATHER_UNITS", "MCP_WEATHER_WEATHER_KEY"] },
  ]);
  expect(await ownServers(sandbox)).toEqual({
    weather: {
      type: "stdio",
      command: "npx",
      args: ["-y", "@acme/weather-mcp@1.4.2", "--units", "${MCP_WEATHER_UNITS}"],
      env: { WEATHER_KEY: "${MCP_WEATHER_WEATHER_KEY}", MODE: "fast" },
    },
  });
  expect(host.servers().find(({ name }) => name === "weather")?.state).toBe("idle");
});

test("the manifest of an unpacked bundle is also a template; other manifests are ignored", async () => {
  await using sandbox = await createSandbox();
  await sandbox.writeProject("manifest.json", { name: "an app of the web", icons: [] });
  await using before = await hostIn(sandbox, { trustProject: true });
  expect(before.servers()).toEqual([]);
  await sandbox.writeProject("manifest.json", {
    manifest_version: "0.3",
    name: "notes",
    version: "1.0.0",
    server: {
      type: "node",
      entry_point: "server.js",
      mcp_config: {
        command: "node",
        args: ["${__dirname}/server.js", "${user_config.folder}"],
        env: { NOTES_KEY: "${user_config.key}" },
      },
    },
    user_config: {
      folder: { type: "directory", title: "Folder", required: true },
      key: { type: "string", title: "Key", sensitive: true },
    },
  });
  await using host = await hostIn(sandbox, { trustProject: true });
  expect(host.servers()).toMatchObject([{ name: "notes", enabled: false, state: "disabled" }]);
  await host.approvals.approve("notes", host.approvals.request("notes").hash);
  expect((await host.config.importFrom({ tool: "mcpb", scope: "user" })).written).toMatchObject([
    { name: "notes" },
  ]);
  expect(await ownServers(sandbox)).toMatchObject({
    notes: {
      command: "node",
      args: [join(sandbox.project, "server.js"), "${MCP_NOTES_FOLDER}"],
      env: { NOTES_KEY: "${MCP_NOTES_KEY}" },
    },
  });
});

test("a server that its tool has disabled is copied as disabled", async () => {
  await using sandbox = await createSandbox();
  await sandbox.writeHome(".gemini/settings.json", {
    mcpServers: { off: { command: "node" } },
    mcp: { excluded: ["off"] },
  });
  await using host = await hostIn(sandbox);
  await host.config.importFrom({ tool: "gemini", scope: "user" });
  expect(await ownServers(sandbox)).toEqual({ off: { type: "stdio", command: "node", enabled: false } });
});

test("a tool without servers is reported, with a suggestion", async () => {
  await using sandbox = await createSandbox();
  await sandbox.writeHome(".cursor/mcp.json", { mcpServers: { a: { command: "a" } } });
  await using host = await hostIn(sandbox);
  expect(await failureOf(host.config.importFrom({ tool: "curser", scope: "user" }))).toEqual({
    code: "SERVER_UNKNOWN",
    message: 'No servers of "curser" were found.',
    hint: 'Did you mean "cursor"?',
  });
});

describe("secrets in plain text", () => {
  const env = { API_KEY: "hunter2hunter2", REGION: "eu" };
  const headers = { Authorization: "Bearer hunter3hunter3", "X-Trace": "on" };
  const servers = {
    local: { command: "x", env },
    remote: { type: "http", url: "https://host/mcp", headers },
    inArguments: { command: "x", args: ["--token", "hunter4hunter4"] },
    inUrl: { type: "http", url: "https://me:hunter5@host/mcp" },
    none: { command: "x", env: { REGION: "eu" } },
  };
  const written = async (sandbox: Sandbox): Promise<string> =>
    readFile(join(sandbox.home, CONFIG), "utf8").catch(() => "");

  test("are not copied unless the caller says what to do with them", async () => {
    await using sandbox = await createSandbox();
    await sandbox.writeHome(".cursor/mcp.json", { mcpServers: servers });
    await using host = await hostIn(sandbox);
    const result = await host.config.importFrom({ tool: "cursor", scope: "user" });
    expect(result.written.map(({ name }) => name)).toEqual(["none"]);
    expect(result.skipped).toEqual([
      {
        name: "local",
        reason: "env.API_KEY is a secret in plain text",
        secrets: { fields: ["env.API_KEY"], movable: true },
      },
      {
        name: "remote",
        reason: "headers.Authorization is a secret in plain text",
        secrets: { fields: ["headers.Authorization"], movable: true },
      },
      {
        name: "inArguments",
        reason: "args[1] is a secret in plain text",
        secrets: { fields: ["args[1]"], movable: false },
      },
      {
        name: "inUrl",
        reason: "url is a secret in plain text",
        secrets: { fields: ["url"], movable: false },
      },
    ]);
    expect(await written(sandbox)).not.toContain("hunter");
    expect(await host.secrets.list()).toEqual([]);
  });

  test("move to the vault, and the copied servers name them", async () => {
    await using sandbox = await createSandbox();
    await sandbox.writeHome(".cursor/mcp.json", { mcpServers: servers });
    await using host = await hostIn(sandbox);
    const result = await host.config.importFrom({ tool: "cursor", scope: "user", secrets: "vault" });
    expect(result.written.map(({ name, secrets }) => [name, secrets])).toEqual([
      ["local", ["local/API_KEY"]],
      ["remote", ["remote/Authorization"]],
      ["none", undefined],
    ]);
    expect(result.skipped.map(({ name }) => name)).toEqual(["inArguments", "inUrl"]);
    const text = await written(sandbox);
    expect(text).not.toContain("hunter");
    expect(JSON.parse(text)).toMatchObject({
      mcpServers: {
        local: { env: { API_KEY: "keychain:local/API_KEY", REGION: "eu" } },
        remote: { headers: { Authorization: "Bearer ${keychain:remote/Authorization}", "X-Trace": "on" } },
      },
    });
    expect(await host.secrets.read("local/API_KEY")).toBe("hunter2hunter2");
    expect(await host.secrets.read("remote/Authorization")).toBe("hunter3hunter3");
  });

  test("never replace another secret, and are removed when the server cannot be written", async () => {
    await using sandbox = await createSandbox();
    await sandbox.writeHome(".cursor/mcp.json", { mcpServers: { local: servers.local } });
    await using host = await hostIn(sandbox);
    await host.secrets.store("local/API_KEY", "somebody else's");
    await host.config.add({ name: "local", server: { command: "y" }, scope: "user" });
    const again = await host.config.importFrom({ tool: "cursor", scope: "user", secrets: "vault" });
    expect(again).toMatchObject({ written: [], skipped: [{ name: "local" }] });
    expect(await host.secrets.list()).toEqual(["local/API_KEY"]);
    await host.config.remove("local", "user");
    const { written: now } = await host.config.importFrom({
      tool: "cursor",
      scope: "user",
      secrets: "vault",
    });
    expect(now).toMatchObject([{ name: "local", secrets: ["local/API_KEY-2"] }]);
    expect(await host.secrets.read("local/API_KEY")).toBe("somebody else's");
  });

  test("are copied as they are when the caller asks for that", async () => {
    await using sandbox = await createSandbox();
    await sandbox.writeHome(".cursor/mcp.json", { mcpServers: servers });
    await using host = await hostIn(sandbox);
    const result = await host.config.importFrom({ tool: "cursor", scope: "user", secrets: "plain" });
    expect([result.written.length, result.skipped]).toEqual([5, []]);
    expect(await written(sandbox)).toContain("hunter5");
  });

  test("are reported wherever a file contains them, by field and position, never by value", async () => {
    await using sandbox = await createSandbox();
    await sandbox.writeHome(".cursor/mcp.json", { mcpServers: servers });
    await sandbox.writeHome(CONFIG, {
      mcpServers: { own: { command: "x", env }, named: { command: "x", env: { API_KEY: "keychain:a" } } },
    });
    await using host = await hostIn(sandbox);
    const findings = host.doctor.diagnose().findings.filter(({ message }) => message.includes("plain text"));
    expect(
      findings.map(({ server, message }) => [server, /: (\S+) contains/.exec(message)?.[1]]).sort(),
    ).toEqual([
      ["inArguments", "args[1]"],
      ["inUrl", "url"],
      ["local", "env.API_KEY"],
      ["own", "env.API_KEY"],
      ["remote", "headers.Authorization"],
    ]);
    expect(JSON.stringify(findings)).not.toContain("hunter");
    expect(findings.every(({ message }) => /mcp\.json:\d+/.test(message))).toBe(true);
  });
});
