import { join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { createSandbox } from "../../test/support/sandbox.ts";
import {
  discoverMcpConfigPath,
  type LoadMcpConfigOptions,
  loadMcpConfig,
  type McpConfigLoadResult,
  parseMcpConfig,
} from "./index.ts";

/** The config that ToolLoop's own specification shows. */
const SAMPLE = {
  servers: {
    repo: { trust: "trusted", transport: { type: "http", url: "http://localhost:4010/mcp" } },
  },
  bundles: { repoRead: { serverId: "repo", mode: "direct", allowTools: ["readFile", "search"] } },
} as const;

const at = (url: string) => ({
  servers: { repo: { trust: "trusted", transport: { type: "http", url } } },
});

const INLINE = "CODEX_TOOLLOOP_MCP_CONFIG_JSON";
const PATH = "CODEX_TOOLLOOP_MCP_CONFIG_PATH";

const urlIn = ({ config }: McpConfigLoadResult): unknown => config.servers["repo"]?.transport;
const messageOf = (options: LoadMcpConfigOptions): Promise<string> =>
  loadMcpConfig(options).then(
    () => "it was accepted",
    (error: Error) => error.message,
  );

describe("parseMcpConfig", () => {
  test("accepts the sample of the specification unchanged", () => {
    expect(parseMcpConfig(SAMPLE)).toEqual(SAMPLE);
  });

  test.each([
    [
      "trusted http",
      "trusted",
      { type: "http", url: "https://h/", headers: { A: "1" }, authProviderId: "me" },
    ],
    [
      "untrusted sse",
      "untrusted",
      { type: "sse", url: "https://h/", headers: { A: "1" }, authProviderId: "me" },
    ],
    ["trusted stdio", "trusted", { type: "stdio", command: "c", args: ["a"], cwd: "/d", env: { A: "1" } }],
    ["minimal http", "untrusted", { type: "http", url: "https://h/" }],
    ["minimal sse", "trusted", { type: "sse", url: "https://h/" }],
    ["minimal stdio", "untrusted", { type: "stdio", command: "c" }],
  ])("accepts every field of a server: %s", (_, trust, transport) => {
    const config = { servers: { one: { trust, transport } }, bundles: {} };
    expect(parseMcpConfig(config)).toEqual(config);
  });

  test.each([
    ["no trust", { transport: { type: "stdio", command: "c" } }, "servers.one.trust"],
    ["http without a url", { trust: "trusted", transport: { type: "http" } }, "servers.one.transport.url"],
    ["sse without a url", { trust: "trusted", transport: { type: "sse" } }, "servers.one.transport.url"],
    [
      "stdio without a command",
      { trust: "trusted", transport: { type: "stdio" } },
      "servers.one.transport.command",
    ],
    [
      "a header in stdio",
      { trust: "trusted", transport: { type: "stdio", command: "c", headers: {} } },
      "servers.one.transport.headers",
    ],
    [
      "a command in http",
      { trust: "trusted", transport: { type: "http", url: "https://h/", command: "c" } },
      "servers.one.transport.command",
    ],
  ])("rejects a server and names the path: %s", (_, one, path) => {
    expect(() => parseMcpConfig({ servers: { one } })).toThrow(`- ${path}: `);
  });

  test.each([
    ["direct", { mode: "direct", allowTools: ["a"], denyTools: ["b"] }],
    ["meta", { mode: "meta", denyTools: [] }],
  ])("accepts every field of a bundle: %s", (_, bundle) => {
    const bundles = { x: { serverId: "repo", ...bundle } };
    expect(parseMcpConfig({ ...SAMPLE, bundles }).bundles).toEqual(bundles);
  });

  test.each([
    ["an empty allowTools", { allowTools: [] }, "bundles.x.allowTools: must not be empty"],
    ["another mode", { mode: "both" }, 'bundles.x.mode: must be one of "direct", "meta"'],
    ["an unknown server", { serverId: "missing" }, 'bundles.x.serverId: unknown server "missing"'],
    ["an extra key", { tools: [] }, "bundles.x.tools: is not a known key"],
  ])("rejects a bundle and names the path: %s", (_, part, message) => {
    const x = { serverId: "repo", mode: "direct", ...part };
    expect(() => parseMcpConfig({ ...SAMPLE, bundles: { x } })).toThrow(message);
  });

  test.each([null, "{}", 1, [], { mcpServers: {} }])("rejects %j", (input) => {
    expect(() => parseMcpConfig(input)).toThrow("MCP config is not valid");
  });
});

describe("loadMcpConfig", () => {
  test("prefers overrides, then the inline variable, then the named, the variable's and the discovered file", async () => {
    await using sandbox = await createSandbox();
    const cwd = sandbox.project;
    await sandbox.writeProject("codex-toolloop.mcp.json", at("http://found/"));
    await sandbox.writeProject("custom.json", at("http://custom/"));
    const named = await sandbox.writeHome("variable.json", at("http://variable/"));
    const env = { [PATH]: named };
    const inline = { ...env, [INLINE]: JSON.stringify(at("http://inline/")) };
    const overrides = at("http://overrides/");
    const found = await Promise.all([
      loadMcpConfig({ cwd, env: inline, path: "./custom.json", overrides }),
      loadMcpConfig({ cwd, env: inline, path: "./custom.json" }),
      loadMcpConfig({ cwd, env, path: "./custom.json" }),
      loadMcpConfig({ cwd, env }),
      loadMcpConfig({ cwd, env: {} }),
    ]);
    expect(found.map(urlIn)).toEqual(
      ["overrides", "inline", "custom", "variable", "found"].map((name) => ({
        type: "http",
        url: `http://${name}/`,
      })),
    );
  });

  test("returns the source of each server and the variable that was not used", async () => {
    await using sandbox = await createSandbox();
    const file = await sandbox.writeProject("codex-toolloop.mcp.json", at("http://found/"));
    const env = {
      PLUGBOARD_MCP_CONFIG_JSON: JSON.stringify({ servers: { other: SAMPLE.servers.repo } }),
      [INLINE]: JSON.stringify(at("http://lost/")),
    };
    const { config, sources, provenance, problems } = await loadMcpConfig({ cwd: sandbox.project, env });
    const inline = { kind: "environment", variable: "PLUGBOARD_MCP_CONFIG_JSON" };
    expect(sources).toEqual([inline, { kind: "file", path: file }]);
    expect({ ...provenance }).toEqual({ other: inline, repo: { kind: "file", path: file } });
    expect(Object.keys(config.servers).sort()).toEqual(["other", "repo"]);
    expect(problems.map(({ code, message }) => [code, message])).toEqual([
      ["source-ignored", `$${INLINE} is ignored because $PLUGBOARD_MCP_CONFIG_JSON is set`],
    ]);
  });

  test("accepts a partial config from the variable, whose bundle may refer to a server in the file", async () => {
    await using sandbox = await createSandbox();
    await sandbox.writeProject("codex-toolloop.mcp.json", { servers: SAMPLE.servers });
    const env = { [INLINE]: JSON.stringify({ bundles: SAMPLE.bundles }) };
    expect((await loadMcpConfig({ cwd: sandbox.project, env })).config).toEqual(SAMPLE);
    expect(await messageOf({ cwd: sandbox.home, env })).toContain(
      'bundles.repoRead.serverId: unknown server "repo"',
    );
  });

  test.each([
    ["the sample", SAMPLE, undefined],
    ["a wrong trust", { servers: { a: { trust: 1 } } }, "servers.a.trust: must be one of"],
    [
      "an empty allowTools",
      { bundles: { x: { allowTools: [] } } },
      "bundles.x.allowTools: must not be empty",
    ],
    ["an unknown key", { mcpServers: {} }, "mcpServers: is not a known key"],
  ])(
    "validates overrides, a file and the inline variable in the same way: %s",
    async (_, value, complaint) => {
      await using sandbox = await createSandbox();
      const text = JSON.stringify(value);
      const path = await sandbox.writeHome("any.json", text);
      const cwd = sandbox.project;
      const sources: [string, LoadMcpConfigOptions][] = [
        ["the overrides", { cwd, overrides: value, env: {} }],
        [`$${INLINE}`, { cwd, env: { [INLINE]: text } }],
        [path, { cwd, path, env: {} }],
        [path, { cwd, env: { [PATH]: path } }],
      ];
      for (const [source, options] of sources) {
        if (complaint === undefined) expect((await loadMcpConfig(options)).config).toEqual(SAMPLE);
        else expect(await messageOf(options)).toContain(`${source} is not valid:\n- ${complaint}`);
      }
    },
  );

  test.each([
    ["a comment", `${JSON.stringify(SAMPLE)} // mine`],
    ["a comma too many", '{ "servers": {}, }'],
    ["another language", "[servers]"],
  ])("accepts only JSON in a file and the inline variable: %s", async (_, text) => {
    await using sandbox = await createSandbox();
    const path = await sandbox.writeHome("any.json", text);
    expect(await messageOf({ path, env: {} })).toContain(`${path} is not valid JSON: `);
    expect(await messageOf({ cwd: sandbox.project, env: { [INLINE]: text } })).toContain(
      `$${INLINE} is not valid JSON: `,
    );
  });

  test.each(["path", PATH])("rejects a missing file that %s refers to", async (how) => {
    await using sandbox = await createSandbox();
    const options = how === "path" ? { path: "gone.json" } : { env: { [PATH]: "gone.json" } };
    expect(await messageOf({ env: {}, ...options, cwd: sandbox.project })).toBe(
      `${join(sandbox.project, "gone.json")} does not exist.`,
    );
  });
});

describe("discoverMcpConfigPath", () => {
  test("searches the parent folders and prefers the plain name over the hidden folder", async () => {
    await using sandbox = await createSandbox();
    const outer = await sandbox.writeProject("codex-toolloop.mcp.json", SAMPLE);
    const cwd = join(sandbox.project, "sub", "deep");
    await sandbox.writeProject("sub/deep/README.md", "");
    const fromAbove = await discoverMcpConfigPath({ cwd });
    const hidden = await sandbox.writeProject("sub/.codex-toolloop/mcp.json", SAMPLE);
    const fromHidden = await discoverMcpConfigPath({ cwd });
    const plain = await sandbox.writeProject("sub/codex-toolloop.mcp.json", SAMPLE);
    expect([fromAbove, fromHidden, await discoverMcpConfigPath({ cwd })]).toEqual([outer, hidden, plain]);
  });

  test("accepts a relative folder, and returns nothing if there is no file", async () => {
    await using sandbox = await createSandbox();
    const file = await sandbox.writeProject("codex-toolloop.mcp.json", SAMPLE);
    const cwd = relative(process.cwd(), join(sandbox.project, ".git"));
    expect([
      await discoverMcpConfigPath({ cwd }),
      await discoverMcpConfigPath({ cwd: sandbox.home }),
    ]).toEqual([file, undefined]);
  });
});
