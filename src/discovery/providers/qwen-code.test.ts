import { expect, test } from "vitest";
import { readEntry, readOn } from "../../../test/support/machine.ts";
import { qwenCode } from "./qwen-code.ts";

const USER = "/home/me/.qwen/settings.json";
const MAP = { mcpServers: { one: { command: "server" } } };

test("Qwen Code reads .mcp.json between the project's settings and the user's", async () => {
  const paths = ["/etc/qwen-code/settings.json", "/repo/.qwen/settings.json", "/repo/.mcp.json", USER];
  const { entries } = await readOn(qwenCode, { files: Object.fromEntries(paths.map((path) => [path, MAP])) });
  expect(entries.map(({ source }) => source.file)).toEqual(paths);
});

test.each([
  ["settings", USER, { url: "https://h", type: "http" }, "sse"],
  ["settings", USER, { httpUrl: "https://h" }, "http"],
  [".mcp.json", "/repo/.mcp.json", { url: "https://h", type: "http" }, "http"],
  [".mcp.json", "/repo/.mcp.json", { url: "https://h", type: "streamable-http" }, "sse"],
  [".mcp.json", "/repo/.mcp.json", { url: "https://h" }, "sse"],
])("in %s, %s: %j is %s", async (_, file, one, kind) => {
  const entry = await readEntry(qwenCode, file, { mcpServers: { one } });
  expect(entry.transport?.kind).toBe(kind);
  expect(entry.fields["url"]).toBe("https://h");
});

test("discoveryTimeoutMs is the startup timeout", async () => {
  const one = { command: "x", discoveryTimeoutMs: 9000, alwaysLoadTools: true };
  const { fields, owner } = await readEntry(qwenCode, USER, { mcpServers: { one } });
  expect(fields).toMatchObject({ startupTimeout: 9000, alwaysLoadTools: true });
  expect(owner?.problems).toEqual([]);
});

test.each([
  [{ excluded: ["o*"] }, false],
  [{ excluded: ["?ne"] }, false],
  [{ excluded: ["ONE"] }, undefined],
  [{ allowed: ["t*"] }, false],
  [{ allowed: ["*"] }, undefined],
])("Qwen Code's lists are patterns: %j", async (mcp, value) => {
  const entry = await readEntry(qwenCode, USER, { ...MAP, mcp });
  expect(entry.enabled?.value).toBe(value);
});
