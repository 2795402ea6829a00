import { describe, expect, test } from "vitest";
import { readEntry, readOn } from "../../../test/support/machine.ts";
import { visualStudio } from "./visual-studio.ts";
import { vscode } from "./vscode.ts";
import { zencoder } from "./zencoder.ts";

const FILE = "/repo/.vscode/mcp.json";
const SETTINGS = "/home/me/.config/Code/User/settings.json";

describe("an entry of VS Code", () => {
  test.each([
    [{ command: "x" }, "stdio", undefined, { valid: true, problems: [] }],
    [{ url: "https://h" }, "http", ["http", "sse"], { valid: true, problems: [] }],
    [{ type: "sse", url: "https://h" }, "sse", undefined, { valid: true, problems: [] }],
    [
      { type: "streamable-http", url: "https://h" },
      undefined,
      undefined,
      { valid: false, problems: ["unknown-type"] },
    ],
    [
      { type: "stdio", url: "https://h" },
      "stdio",
      undefined,
      { valid: false, problems: ["missing-command"] },
    ],
    [{ type: "http" }, "http", ["http", "sse"], { valid: false, problems: ["missing-url"] }],
    [{}, undefined, undefined, { valid: false, problems: ["missing-command"] }],
    [{ command: "x", disabled: true }, "stdio", undefined, { valid: true, problems: ["unsupported-field"] }],
    [{ command: "x", gallery: "g", version: "1" }, "stdio", undefined, { valid: true, problems: [] }],
  ])("%j", async (one, kind, candidates, owner) => {
    const entry = await readEntry(vscode, FILE, { servers: { one } });
    expect(entry.transport?.kind).toBe(kind);
    expect(entry.transport?.candidates).toEqual(candidates);
    expect(entry.owner).toEqual(owner);
    expect(entry.fields["enabled"]).toBeUndefined();
  });

  test("has the inputs that it uses, with their descriptions from the file", async () => {
    const one = {
      command: "x",
      args: ["${input:token}", "${input:region}", "${input:lost}", "${input:token}"],
    };
    const inputs = [
      { type: "promptString", id: "token", description: "PAT", password: true },
      { type: "pickString", id: "region", options: ["eu", { label: "US", value: "us" }], default: "eu" },
      { type: "command", id: "unused", command: "c" },
      "junk",
    ];
    const entry = await readEntry(vscode, FILE, { servers: { one }, inputs });
    expect(entry.inputs).toEqual([
      { id: "token", type: "string", secret: true, description: "PAT" },
      { id: "region", type: "pick", options: ["eu", "us"], default: "eu" },
      { id: "lost" },
    ]);
  });

  test.each([
    ["older settings", SETTINGS, ["mcp"]],
    ["a dev container", "/repo/.devcontainer/devcontainer.json", ["customizations", "vscode", "mcp"]],
    ["a workspace file", "/repo/my.code-workspace", ["settings", "mcp"]],
  ])("in %s has the inputs described there", async (_, file, keys) => {
    const holder = {
      servers: { one: { command: "${input:a}" } },
      inputs: [{ id: "a", type: "promptString", password: true }],
    };
    const value = [...keys].reverse().reduce<unknown>((inner, key) => ({ [key]: inner }), holder);
    expect((await readEntry(vscode, file, value)).inputs).toEqual([
      { id: "a", type: "string", secret: true },
    ]);
  });
});

describe("settings of VS Code", () => {
  const local = { command: "npx", args: ["-y", "x"] };
  const remote = { url: "https://h.example.test/mcp" };
  const command = { serverCommand: ["npx", "-y", "x"] };
  test.each([
    ["access is none", { access: "none" }, local, "access"],
    ["access is all", { access: "all" }, local, undefined],
    ["the name is denied", { deniedServers: [{ serverName: "one" }] }, local, "deniedServers"],
    ["the command is denied", { deniedServers: [command] }, local, "deniedServers"],
    ["another command is denied", { deniedServers: [command] }, { ...local, args: [] }, undefined],
    [
      "the URL is denied",
      { deniedServers: [{ serverUrl: "https://*.example.test/*" }] },
      remote,
      "deniedServers",
    ],
    ["nothing is allowed", { allowedServers: [] }, local, "allowedServers"],
    ["the name is allowed", { allowedServers: [{ serverName: "one" }] }, local, undefined],
    [
      "the name is allowed, but commands are listed",
      { allowedServers: [{ serverName: "one" }, { serverCommand: ["y"] }] },
      local,
      "allowedServers",
    ],
    [
      "a denied server is also allowed",
      { deniedServers: [command], allowedServers: [command] },
      local,
      "deniedServers",
    ],
    ["the lists have the wrong type", { deniedServers: "one", allowedServers: {} }, local, undefined],
  ])("can disable a server: %s", async (_, rules, one, key) => {
    const settings = Object.fromEntries(
      Object.entries(rules).map(([name, value]) => [`chat.mcp.${name}`, value]),
    );
    const { entries } = await readOn(vscode, {
      files: { [FILE]: { servers: { one } }, [SETTINGS]: settings },
    });
    expect(entries.map(({ enabled }) => enabled)).toEqual([
      key === undefined ? undefined : { value: false, rule: `"chat.mcp.${key}" in ${SETTINGS}` },
    ]);
  });
});

test("mcpServers in a file of VS Code is reported", async () => {
  const { entries, complaints } = await readOn(vscode, { files: { [FILE]: { mcpServers: { one: {} } } } });
  expect(entries).toEqual([]);
  expect(complaints?.map(({ message }) => message)).toEqual([
    'has "mcpServers": VS Code reads "servers" and finds no servers here',
  ]);
});

test("Visual Studio tries only HTTP, and ignores other tools' keys", async () => {
  const { entries } = await readOn(visualStudio, {
    files: {
      "/repo/.vs/mcp.json": { servers: { one: { url: "https://${input:a}" } }, inputs: [{ id: "a" }] },
      "/repo/.mcp.json": { mcpServers: { two: { command: "x" } } },
    },
  });
  expect(entries.map(({ name, transport, inputs }) => [name, transport?.candidates, inputs])).toEqual([
    ["one", undefined, [{ id: "a" }]],
  ]);
});

test("Zencoder signs in if its entry requires it", async () => {
  const one = { url: "https://h", auth: "oauth2" };
  const { fields, transport } = await readEntry(zencoder, SETTINGS, { "zencoder.mcpServers": { one } });
  expect(transport?.kind).toBe("http");
  expect(fields["oauth"]).toBe(true);
});
