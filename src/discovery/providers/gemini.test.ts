import { describe, expect, test } from "vitest";
import { readEntry, readOn } from "../../../test/support/machine.ts";
import { gemini } from "./gemini.ts";

const USER = "/home/me/.gemini/settings.json";
const PROJECT = "/repo/.gemini/settings.json";
const SYSTEM = "/etc/gemini-cli/settings.json";
const DEFAULTS = "/etc/gemini-cli/system-defaults.json";
const EXTENSION = "/home/me/.gemini/extensions/acme/gemini-extension.json";
const TOGGLES = "/home/me/.gemini/mcp-server-enablement.json";
const MAP = { mcpServers: { one: { command: "server" } } };

test("Gemini CLI reads system settings first, then the project, the user, the defaults, and extensions", async () => {
  const paths = [SYSTEM, PROJECT, USER, DEFAULTS, EXTENSION];
  const { entries } = await readOn(gemini, { files: Object.fromEntries(paths.map((path) => [path, MAP])) });
  expect(entries.map(({ source }) => source.file)).toEqual(paths);
});

describe("an entry of Gemini CLI", () => {
  test.each([
    [{ httpUrl: "https://a", url: "https://b", command: "c" }, "http", "https://a", ["command-and-url"]],
    [{ url: "https://b", command: "c" }, "http", "https://b", ["command-and-url"]],
    [{ url: "https://b", type: "sse" }, "sse", "https://b", []],
    [{ url: "https://b", type: "streamable-http" }, "http", "https://b", ["unknown-type"]],
    [{ command: "c", enabled: false }, "stdio", undefined, ["unsupported-field"]],
    [{ command: "c", timeout: 30 }, "stdio", undefined, ["timeout-unit-suspicious"]],
    [{ tcp: "host:1" }, "ws", undefined, []],
  ])("%j", async (one, kind, url, problems) => {
    const entry = await readEntry(gemini, USER, { mcpServers: { one } });
    expect(entry.transport?.kind).toBe(kind);
    expect(entry.fields["url"]).toBe(url);
    expect(entry.owner).toEqual({ valid: true, problems });
    expect(entry.fields["enabled"]).toBeUndefined();
  });

  test("without a command or URL is invalid", async () => {
    const entry = await readEntry(gemini, USER, { mcpServers: { one: { args: [] } } });
    expect(entry.owner).toEqual({ valid: false, problems: ["missing-command"] });
  });

  test("of an extension cannot set its own trust, and has its folder", async () => {
    const one = { command: "${extensionPath}${/}x", trust: true };
    const entry = await readEntry(gemini, EXTENSION, { name: "acme", mcpServers: { one } });
    expect(entry.fields["trust"]).toBeUndefined();
    expect(entry.expansion.names).toEqual({
      extensionPath: "/home/me/.gemini/extensions/acme",
      workspacePath: "/repo",
      "/": "/",
      pathSeparator: "/",
    });
  });
});

describe("a user's server in Gemini CLI", () => {
  const lists = (mcp: unknown): unknown => ({ mcp });
  test.each([
    ["is on", {}, undefined],
    [
      "is excluded, ignoring case",
      { [USER]: { ...MAP, mcp: { excluded: ["ONE"] } } },
      `"mcp.excluded" in ${USER}`,
    ],
    [
      "is not in the allow list",
      { [USER]: { ...MAP, mcp: { allowed: ["two"] } } },
      `"mcp.allowed" in ${USER}`,
    ],
    ["is in the allow list", { [USER]: { ...MAP, mcp: { allowed: ["One"] } } }, undefined],
    ["is allowed by an empty allow list", { [USER]: { ...MAP, mcp: { allowed: [] } } }, undefined],
    ["is excluded by the system", { [SYSTEM]: lists({ excluded: ["one"] }) }, `"mcp.excluded" in ${SYSTEM}`],
    [
      "is allowed by the system's list",
      {
        [SYSTEM]: lists({ excluded: [] }),
        [USER]: { ...MAP, mcp: { excluded: ["one"] } },
      },
      undefined,
    ],
    ["is disabled by a project", { [PROJECT]: lists({ excluded: ["one"] }) }, `"mcp.excluded" in ${PROJECT}`],
    [
      "is not enabled by a project",
      {
        [PROJECT]: lists({ excluded: [] }),
        [USER]: { ...MAP, mcp: { excluded: ["one"] } },
      },
      `"mcp.excluded" in ${USER}`,
    ],
    ["is disabled by name", { [TOGGLES]: { One: { enabled: false } } }, `"One" in ${TOGGLES}`],
    ["stays enabled by name", { [TOGGLES]: { one: { enabled: true } } }, undefined],
    [
      "ignores lists of the wrong type",
      { [USER]: { ...MAP, mcp: { excluded: "one", allowed: 1 } } },
      undefined,
    ],
  ])("%s", async (_, files: Record<string, unknown>, rule) => {
    const { entries } = await readOn(gemini, { files: { [USER]: MAP, ...files } });
    expect(entries.map(({ enabled }) => enabled)).toEqual([
      rule === undefined ? undefined : { value: false, rule },
    ]);
  });
});

test.each([["acme:one"], ["ext:acme:one"]])(
  "lists may contain an extension's server with its extension: %s",
  async (word) => {
    const files = { [EXTENSION]: { name: "acme", ...MAP }, [USER]: { mcp: { excluded: [word] } } };
    const { entries } = await readOn(gemini, { files });
    expect(entries[0]?.enabled?.value).toBe(word.startsWith("ext:") ? false : undefined);
  },
);

test.each([
  ['{ // mine\n "mcpServers": {} /* none */ }', 0],
  ['{ "mcpServers": { "one": { "command": "http://no//comment", } } }', 1],
  ['{ "mcpServers": {}, "a": "\\"// no", }', 1],
  ['{ "a": "unclosed /* ", "mcpServers": {} }', 0],
])("%s has trailing commas: %s", async (text, complaints) => {
  expect((await readOn(gemini, { files: { [USER]: text } })).complaints).toHaveLength(complaints);
});
