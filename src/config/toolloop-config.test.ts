import { describe, expect, test } from "vitest";
import { createMemoryFiles } from "../testing/index.ts";
import { findMcpConfigPath, readMcpConfig } from "./load-toolloop-config.ts";
import { parseMcpConfig } from "./toolloop-config.ts";

const repo = { trust: "trusted", transport: { type: "http", url: "http://localhost:4010/mcp" } } as const;
const shell = {
  trust: "untrusted",
  transport: { type: "stdio", command: "node", args: ["s.js"], env: { A: "1" } },
} as const;

describe("a ToolLoop config", () => {
  test("is parsed unchanged", () => {
    const bundles = {
      read: { serverId: "repo", mode: "direct", allowTools: ["readFile"], denyTools: ["search"] },
    };
    expect(parseMcpConfig({ servers: { repo, shell }, bundles })).toEqual({
      servers: { repo, shell },
      bundles,
    });
  });

  test("that is invalid gives one error with every invalid path", () => {
    const input = {
      servers: {
        a: { trust: "maybe", transport: { type: "http", url: "nowhere" }, colour: "red" },
        b: { trust: "trusted", transport: { type: "ws" } },
        c: { trust: "trusted", transport: { type: "stdio", command: "", args: [1] } },
      },
      bundles: { x: { serverId: "a", mode: "both", allowTools: [] } },
      extra: true,
    };
    expect(() => parseMcpConfig(input)).toThrowErrorMatchingInlineSnapshot(`
      [HostError: MCP config is not valid:
      - extra: is not a known key
      - servers.a.colour: is not a known key
      - servers.a.trust: must be one of "trusted", "untrusted"
      - servers.a.transport.url: must be a URL
      - servers.b.transport.type: must be one of "http", "sse", "stdio"
      - servers.c.transport.command: must be a non-empty string
      - servers.c.transport.args[0]: must be a string
      - bundles.x.allowTools: must not be empty; omit it to allow all tools of a trusted server
      - bundles.x.mode: must be one of "direct", "meta"]
    `);
  });

  test("can contain empty strings only in env, args and headers", () => {
    const servers = {
      a: { trust: "trusted", transport: { type: "stdio", command: "c", args: ["", "-x"], env: { A: "" } } },
      b: { trust: "trusted", transport: { type: "http", url: "http://h/", headers: { A: "" } } },
    };
    expect(parseMcpConfig({ servers })).toEqual({ servers, bundles: {} });
    const empty = { trust: "trusted", transport: { type: "stdio", command: "", cwd: "" } };
    expect(() => parseMcpConfig({ servers: { empty } })).toThrow(
      /- servers\.empty\.transport\.command: .*\n- servers\.empty\.transport\.cwd: /,
    );
  });

  test("reports an unknown serverId together with all other problems", () => {
    const input = {
      servers: { repo: { ...repo, trust: 1 } },
      bundles: {
        x: { serverId: "missing", mode: "meta" },
        y: { serverId: "repo", mode: "both" },
        z: { serverId: "", mode: "meta" },
      },
    };
    expect(() => parseMcpConfig(input)).toThrowErrorMatchingInlineSnapshot(`
      [HostError: MCP config is not valid:
      - servers.repo.trust: must be one of "trusted", "untrusted"
      - bundles.x.serverId: unknown server "missing"
      - bundles.y.mode: must be one of "direct", "meta"
      - bundles.z.serverId: must be a non-empty string]
    `);
  });

  test.each<[string, unknown, string]>([
    ["the config", 5, "(top): must be an object"],
    ["the servers", { servers: [] }, "servers: must be an object"],
    ["a server", { servers: { a: "x" } }, "servers.a: must be an object"],
    ["a null server", { servers: { a: null } }, "servers.a: must be an object"],
    [
      "a transport",
      { servers: { a: { trust: "trusted", transport: [] } } },
      "servers.a.transport: must be an object",
    ],
    ["a missing transport", { servers: { a: { trust: "trusted" } } }, "servers.a.transport: is missing"],
    [
      "a transport of an unknown type",
      { servers: { a: { trust: "trusted", transport: { type: "ws", port: 1 } } } },
      'servers.a.transport.type: must be one of "http", "sse", "stdio"',
    ],
    ["a bundle", { bundles: { x: 5 } }, "bundles.x: must be an object"],
  ])("gives one error for one invalid object: %s", (_, input, complaint) => {
    expect(() => parseMcpConfig(input)).toThrow(
      expect.objectContaining({ message: `MCP config is not valid:\n- ${complaint}` }),
    );
  });

  test("with a bundle of an unknown server is rejected", () => {
    const bundles = { x: { serverId: "missing", mode: "meta" } };
    expect(() => parseMcpConfig({ servers: { repo }, bundles })).toThrow(
      'bundles.x.serverId: unknown server "missing"',
    );
  });
});

describe("loading a ToolLoop config", () => {
  const layer = (url: string) => ({
    servers: { repo: { trust: "trusted", transport: { type: "http", url } } },
  });
  const files = createMemoryFiles(
    new Map([
      ["/repo/codex-toolloop.mcp.json", JSON.stringify(layer("http://file/"))],
      ["/other/.codex-toolloop/mcp.json", JSON.stringify(layer("http://folder/"))],
      ["/named.json", JSON.stringify(layer("http://named/"))],
    ]),
  );
  const urlOf = async (options: Parameters<typeof readMcpConfig>[1]): Promise<unknown> => {
    const { config } = await readMcpConfig(files, options);
    return config.servers["repo"]?.transport;
  };
  const inline = { CODEX_TOOLLOOP_MCP_CONFIG_JSON: JSON.stringify(layer("http://inline/")) };
  const path = { CODEX_TOOLLOOP_MCP_CONFIG_PATH: "/named.json" };

  test.each([
    [
      "overrides before everything",
      { cwd: "/repo", env: inline, overrides: layer("http://over/") },
      "http://over/",
    ],
    ["the inline variable before a file", { cwd: "/repo", env: { ...inline, ...path } }, "http://inline/"],
    [
      "a named file before the variable",
      { cwd: "/other", path: "/repo/codex-toolloop.mcp.json", env: path },
      "http://file/",
    ],
    ["the variable before a found file", { cwd: "/repo", env: path }, "http://named/"],
    ["a file found in a parent folder", { cwd: "/repo/deep/down", env: {} }, "http://file/"],
    ["a file in its folder", { cwd: "/other", env: {} }, "http://folder/"],
  ])("uses %s", async (_, options, url) => {
    expect(await urlOf(options)).toEqual({ type: "http", url });
  });

  test("returns the source of each server", async () => {
    const { sources, provenance } = await readMcpConfig(files, { cwd: "/repo", env: inline });
    expect({ sources, provenance }).toEqual({
      sources: [
        { kind: "environment", variable: "CODEX_TOOLLOOP_MCP_CONFIG_JSON" },
        { kind: "file", path: "/repo/codex-toolloop.mcp.json" },
      ],
      provenance: { repo: { kind: "environment", variable: "CODEX_TOOLLOOP_MCP_CONFIG_JSON" } },
    });
  });

  test("replaces a server as a whole and checks bundles after the merge", async () => {
    const env = { PLUGBOARD_MCP_CONFIG_JSON: JSON.stringify({ servers: { shell } }) };
    const overrides = { bundles: { x: { serverId: "shell", mode: "direct" } } };
    const { config } = await readMcpConfig(files, { cwd: "/repo", env, overrides });
    expect(Object.keys(config.servers)).toEqual(["repo", "shell"]);
    await expect(readMcpConfig(files, { cwd: "/repo", overrides })).rejects.toThrow('unknown server "shell"');
  });

  test("fails if the given file does not exist", async () => {
    await expect(readMcpConfig(files, { cwd: "/", path: "/gone.json" })).rejects.toThrow(
      "/gone.json does not exist.",
    );
  });

  test("returns an empty config without sources", async () => {
    expect(await findMcpConfigPath(files, "/elsewhere")).toBeUndefined();
    expect((await readMcpConfig(files, { cwd: "/elsewhere" })).config).toEqual({ servers: {}, bundles: {} });
  });
});
