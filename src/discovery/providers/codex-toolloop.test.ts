import { describe, expect, test } from "vitest";
import { readEntry, readOn } from "../../../test/support/machine.ts";
import { codexToolloop } from "./codex-toolloop.ts";

const FILE = "/repo/codex-toolloop.mcp.json";
const LOCAL = { type: "stdio", command: "server" };
const GOOD = { trust: "trusted", transport: LOCAL };

describe("a server of Codex ToolLoop", () => {
  test.each([
    ["no trust", { transport: LOCAL }, "missing-required-field"],
    ["an invalid trust", { ...GOOD, trust: true }, "bad-field-type"],
    ["no transport", { trust: "trusted" }, "missing-required-field"],
    ["a transport that is not an object", { ...GOOD, transport: "stdio" }, "bad-field-type"],
    ["no type", { ...GOOD, transport: { command: "server" } }, "missing-type"],
    ["an unknown type", { ...GOOD, transport: { type: "ws", url: "ws://h" } }, "unknown-type"],
    ["no command", { ...GOOD, transport: { type: "stdio" } }, "missing-command"],
    ["no url", { ...GOOD, transport: { type: "http" } }, "missing-url"],
    ["an invalid url", { ...GOOD, transport: { type: "sse", url: "here" } }, "bad-url"],
    ["an additional key", { ...GOOD, note: "x" }, "unsupported-field"],
    [
      "an additional key in its transport",
      { ...GOOD, transport: { ...LOCAL, shell: true } },
      "unsupported-field",
    ],
    ["a number in env", { ...GOOD, transport: { ...LOCAL, env: { A: 1 } } }, "bad-field-type"],
    ["a string for enabled", { ...GOOD, enabled: "no" }, "bad-field-type"],
  ])("with %s invalidates the whole file", async (_, server, problem) => {
    const { entries, complaints } = await readOn(codexToolloop, {
      files: { [FILE]: { servers: { one: server, other: GOOD } } },
    });
    expect(entries.map(({ owner }) => owner)).toEqual([
      { valid: false, problems: [problem] },
      { valid: true, problems: [] },
    ]);
    expect(complaints?.map(({ path, message }) => [path, message])).toEqual([
      [["servers", "one"], 'server "one": Codex ToolLoop would reject the whole file because of this'],
    ]);
  });

  test("cannot override its trust in its transport", async () => {
    const server = { trust: "untrusted", transport: { ...LOCAL, trust: "trusted" } };
    const { fields } = await readEntry(codexToolloop, FILE, { servers: { one: server } });
    expect(fields["trust"]).toBe("untrusted");
  });

  test.each([
    ["one bundle", { a: { serverId: "one", allowTools: ["x"], denyTools: ["y"] } }, ["x"], ["y"]],
    [
      "two bundles",
      { a: { serverId: "one", allowTools: ["x"] }, b: { serverId: "one" } },
      undefined,
      undefined,
    ],
    ["another server's bundle", { a: { serverId: "two", allowTools: ["x"] } }, undefined, undefined],
  ])("uses the tool lists of %s", async (_, bundles, allowTools, denyTools) => {
    const { fields } = await readEntry(codexToolloop, FILE, { servers: { one: GOOD }, bundles });
    expect(fields["allowTools"]).toEqual(allowTools);
    expect(fields["denyTools"]).toEqual(denyTools);
  });
});

test.each([
  [{ servers: { one: GOOD }, mcpServers: {} }, 'unknown key "mcpServers"'],
  [{ servers: {}, bundles: { a: 1 } }, 'bundle "a" must be an object'],
  [
    { servers: {}, bundles: { a: { serverId: "one" } } },
    'bundle "a" has a "serverId" that is not in this file',
  ],
  [
    { servers: { one: GOOD }, bundles: { a: { serverId: "one", allowTools: [] } } },
    'bundle "a" has an empty "allowTools"',
  ],
  [
    { servers: { one: GOOD }, bundles: { a: { serverId: "one", mode: "all" } } },
    'bundle "a" has a "mode" other than "direct" and "meta"',
  ],
  [
    { servers: { one: GOOD }, bundles: { a: { serverId: "one", tools: [] } } },
    'bundle "a" has an unknown key',
  ],
])("the file %j is rejected as a whole: %s", async (file, what) => {
  const { complaints } = await readOn(codexToolloop, { files: { [FILE]: file } });
  expect(complaints?.map(({ message }) => message)).toEqual([
    `${what}: Codex ToolLoop would reject the whole file because of this`,
  ]);
});

test("only the first file upward is used, the plain name before the hidden folder", async () => {
  const file = { servers: { one: GOOD } };
  const cwd = "/repo/sub/deep";
  const read = async (...paths: string[]) =>
    (
      await readOn(codexToolloop, { cwd, files: Object.fromEntries(paths.map((path) => [path, file])) })
    ).entries.map(({ source }) => source.file);
  expect(await read("/repo/sub/.codex-toolloop/mcp.json", FILE)).toEqual([
    "/repo/sub/.codex-toolloop/mcp.json",
  ]);
  expect(await read(FILE, "/repo/.codex-toolloop/mcp.json")).toEqual([FILE]);
});
