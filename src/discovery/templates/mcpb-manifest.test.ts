import { expect, test } from "vitest";
import { readMcpbManifest } from "./mcpb-manifest.ts";

const manifest = (server: object, more: object = {}) =>
  JSON.parse(JSON.stringify({ manifest_version: "0.3", name: "one", server, ...more }));

test("a platform may have its own command", () => {
  const value = manifest({
    type: "binary",
    mcp_config: {
      command: "bin/one",
      args: ["a"],
      env: { A: "1" },
      platform_overrides: { win32: { command: "bin/one.exe", env: { B: "2" } } },
    },
  });
  expect([readMcpbManifest(value, "linux")?.fields, readMcpbManifest(value, "win32")?.fields]).toEqual([
    { type: "stdio", command: "bin/one", args: ["a"], env: { A: "1" } },
    { type: "stdio", command: "bin/one.exe", args: ["a"], env: { A: "1", B: "2" } },
  ]);
});

test("a bundle for uv may leave the command to its host", () => {
  const value = manifest({ type: "uv", entry_point: "src/main.py" });
  expect(readMcpbManifest(value, "linux")).toMatchObject({
    fields: { command: "uv", args: ["run", "--directory", "${__dirname}", "src/main.py"] },
    owner: { valid: true, problems: [] },
  });
});

test("user_config becomes inputs", () => {
  const value = manifest(
    { type: "node", mcp_config: { command: "node" } },
    {
      user_config: {
        key: { type: "string", title: "Key", sensitive: true, required: true },
        size: { type: "number", default: 10 },
        folders: { type: "directory", multiple: true, default: ["${HOME}/a"] },
        odd: 7,
      },
    },
  );
  expect(readMcpbManifest(value, "linux")?.inputs).toEqual([
    { id: "key", secret: true, required: true, description: "Key" },
    { id: "size", default: "10" },
    { id: "folders" },
  ]);
});

test.each([
  ["no command", { type: "node", mcp_config: {} }, ["missing-command"]],
  ["an unknown kind of server", { type: "deno", mcp_config: { command: "deno" } }, ["unknown-type"]],
])("a manifest with %s is not usable", (_, server, problems) => {
  expect(readMcpbManifest(manifest(server), "linux")?.owner).toEqual({ valid: false, problems });
});

test.each([
  ["nothing", null],
  ["a web app's manifest", { name: "one", icons: [] }],
  ["no server", { manifest_version: "0.3", name: "one" }],
  ["no version", { name: "one", server: { type: "node", mcp_config: { command: "node" } } }],
])("%s is not a bundle", (_, value) => {
  expect(readMcpbManifest(value, "linux")).toBeUndefined();
});

test("the manifest of a .dxt is also a bundle", () => {
  const value = {
    dxt_version: "0.1",
    name: "one",
    server: { type: "node", mcp_config: { command: "node" } },
  };
  expect(readMcpbManifest(value, "linux")?.name).toBe("one");
});
