import { expect, test } from "vitest";
import { readOn } from "../../../test/support/machine.ts";
import { agentPlugins } from "./agent-plugins.ts";

const schema = (kind: string, version = "1.0.0") =>
  `https://agent-plugins.org/schemas/${version}/${kind}.schema.json`;
const MANIFEST = { $schema: schema("plugin"), name: "acme.tools" };
const ROOT = "/home/me/.agents/plugins/tools";

async function plugin(servers: object, manifest: object = MANIFEST, root: string = ROOT) {
  const mcp = "mcpServers" in servers ? servers : { $schema: schema("mcp"), mcpServers: servers };
  return readOn(agentPlugins, { files: { [`${root}/plugin.json`]: manifest, [`${root}/mcp.json`]: mcp } });
}

test.each([ROOT, "/repo", "/repo/vendor/tools", "/repo/.agents/plugins/tools"])(
  "a plugin is found in %s",
  async (root) => {
    const { entries } = await plugin({ one: { type: "stdio", command: "node" } }, MANIFEST, root);
    expect(entries.map(({ name, source }) => [name, source.file])).toEqual([["one", `${root}/mcp.json`]]);
  },
);

test("a plugin.json with another schema is not a plugin", async () => {
  const { entries, complaints } = await plugin(
    { one: { type: "stdio", command: "node" } },
    { name: "tools" },
  );
  expect([entries, complaints]).toEqual([[], []]);
});

test("only the two names of Agent Plugins are expanded, and paths are relative to the plugin", async () => {
  const { entries } = await plugin({ one: { type: "stdio", command: "./bin/one" } });
  expect(entries[0]?.expansion).toEqual({
    syntaxes: [],
    fields: ["args", "env", "cwd"],
    unset: "literal",
    names: { PLUGIN_ROOT: ROOT, PLUGIN_DATA: "/home/me/.agents/plugins/data/acme.tools" },
    baseFolder: ROOT,
    commandFolder: ROOT,
  });
});

test("a project's plugin does not share data with a user's plugin of the same name", async () => {
  const { entries } = await plugin(
    { one: { type: "stdio", command: "one" } },
    MANIFEST,
    "/repo/vendor/tools",
  );
  expect(entries[0]?.expansion.names?.["PLUGIN_DATA"]).toMatch(/\/data\/tools-[0-9a-f]{8}$/);
});

test("the name of a project's plugin does not choose its data: an approval does not cover it", async () => {
  const folderOf = async (name: string): Promise<string | undefined> => {
    const manifest = { ...MANIFEST, name };
    const { entries } = await plugin({ one: { type: "stdio", command: "one" } }, manifest, "/repo");
    return entries[0]?.expansion.names?.["PLUGIN_DATA"];
  };
  expect(await folderOf("aaa")).toBe(await folderOf("bbb"));
});

test.each([
  ["a bare name", { type: "stdio", command: "node" }, []],
  ["a path in the plugin", { type: "stdio", command: "./bin/x" }, []],
  ["a path outside the plugin", { type: "stdio", command: "./../x" }, ["invalid-command-path"]],
  ["an absolute path", { type: "stdio", command: "/usr/bin/x" }, ["invalid-command-path"]],
  ["a command line", { type: "stdio", command: "node x.js" }, ["invalid-command-path"]],
  ["no command", { type: "stdio" }, ["missing-command"]],
  ["a folder in its data", { type: "stdio", command: "x", cwd: "${PLUGIN_DATA}/x" }, []],
  ["a folder elsewhere", { type: "stdio", command: "x", cwd: "/tmp" }, ["bad-field-type"]],
  ["a reserved variable", { type: "stdio", command: "x", env: { PLUGIN_ROOT: "/" } }, ["reserved-name"]],
  ["an additional url", { type: "stdio", command: "x", url: "https://x.test" }, ["unsupported-field"]],
  ["no type", { command: "x" }, ["missing-type"]],
  ["the short type", { type: "http", url: "https://x.test" }, ["unknown-type"]],
  ["SSE", { type: "sse", url: "https://x.test/sse" }, []],
  ["plain HTTP elsewhere", { type: "sse", url: "http://x.test/sse" }, ["bad-url"]],
  ["plain HTTP on this machine", { type: "streamable-http", url: "http://127.0.0.1:1/mcp" }, []],
  ["a password in the url", { type: "streamable-http", url: "https://a:b@x.test" }, ["bad-url"]],
  [
    "a duplicate header",
    { type: "streamable-http", url: "https://x.test", headers: { A: "1", a: "2" } },
    ["duplicate-key"],
  ],
])("an entry with %s", async (_, server, problems) => {
  const { entries } = await plugin({ one: server });
  expect(entries[0]?.owner).toEqual({ valid: problems.length === 0, problems });
});

test.each([
  ["no schema", { mcpServers: {} }, MANIFEST, 'has no Agent Plugins "$schema"'],
  [
    "a different version",
    { $schema: schema("mcp", "1.1.0"), mcpServers: {} },
    MANIFEST,
    "targets a different version than its plugin.json",
  ],
  [
    "an additional key",
    { $schema: schema("mcp"), mcpServers: {}, inputs: [] },
    MANIFEST,
    'has an unexpected key "inputs"',
  ],
  [
    "an invalid name",
    { $schema: schema("mcp"), mcpServers: {} },
    { ...MANIFEST, name: "Not--Good" },
    "has a plugin.json without a valid name",
  ],
])("a file with %s does not start servers", async (_, servers, manifest, message) => {
  const one = { type: "stdio", command: "one" };
  const { entries, complaints = [] } = await plugin({ ...servers, mcpServers: { one } }, manifest);
  expect([
    entries.map(({ owner }) => owner?.valid),
    complaints.map((complaint) => complaint.message),
  ]).toEqual([[false], [`${message}: an Agent Plugins client would not start any server of this plugin`]]);
});
