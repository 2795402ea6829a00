import { describe, expect, test } from "vitest";
import { readEntry, readOn } from "../../../test/support/machine.ts";
import { copilotCli } from "./copilot-cli.ts";

const PROJECT = "/repo/.mcp.json";
const USER = "/home/me/.copilot/mcp-config.json";
const SETTINGS = "/home/me/.copilot/settings.json";

describe("an entry of Copilot CLI", () => {
  test.each([
    [{ type: "local", command: "x" }, "stdio", { valid: true, problems: [] }],
    [{ command: "x" }, "stdio", { valid: true, problems: [] }],
    [{ url: "https://h" }, "http", { valid: true, problems: [] }],
    [{ type: "streamable-http", url: "https://h" }, "http", { valid: true, problems: [] }],
    [{ type: "streamableHttp", url: "https://h" }, undefined, { valid: false, problems: ["unknown-type"] }],
    [{ type: "http", url: "${BASE}/mcp" }, "http", { valid: false, problems: ["bad-url"] }],
    [{ type: "sse" }, "sse", { valid: false, problems: ["missing-url"] }],
    [{ type: "stdio" }, "stdio", { valid: false, problems: ["missing-command"] }],
    [{ command: "x", env: { A: 1 } }, "stdio", { valid: false, problems: ["bad-field-type"] }],
    [{ command: "x", disabled: true }, "stdio", { valid: true, problems: ["unsupported-field"] }],
    [{}, undefined, { valid: false, problems: ["missing-command"] }],
  ])("%j", async (one, kind, owner) => {
    const entry = await readEntry(copilotCli, PROJECT, { mcpServers: { one } });
    expect(entry.transport?.kind).toBe(kind);
    expect(entry.owner).toEqual(owner);
    expect(entry.fields["enabled"]).toBeUndefined();
  });

  test.each([
    [["*"], ["*"]],
    [[], []],
    ["", []],
  ])("with tools %j allows %j", async (tools, allowed) => {
    const entry = await readEntry(copilotCli, USER, { mcpServers: { one: { command: "x", tools } } });
    expect(entry.fields["allowTools"]).toEqual(allowed);
  });

  test("has its OAuth client, and keeps other sign-in fields", async () => {
    const one = { url: "https://h", oauthClientId: "me", oauthPublicClient: true };
    const { fields } = await readEntry(copilotCli, USER, { mcpServers: { one } });
    expect(fields).toMatchObject({ oauth: { clientId: "me" }, oauthPublicClient: true });
  });
});

describe("files of Copilot CLI", () => {
  test("of a project may have servers at the top level", async () => {
    const file = { $schema: "x", one: { command: "x" }, servers: { two: { command: "y" } }, inputs: [] };
    const { entries, complaints } = await readOn(copilotCli, { files: { [PROJECT]: file } });
    expect(entries.map(({ name, path }) => [name, path])).toEqual([["one", ["one"]]]);
    expect(complaints).toEqual([]);
  });

  test("of the user may not have servers at the top level", async () => {
    const { entries, complaints } = await readOn(copilotCli, {
      files: { [USER]: { one: { command: "x" } } },
    });
    expect(entries).toEqual([]);
    expect(complaints?.map(({ message }) => message)).toEqual([
      'has no "mcpServers": GitHub Copilot CLI would reject this file',
    ]);
  });

  test("in .github are hidden only by a .mcp.json in the same folder", async () => {
    const map = (name: string): unknown => ({ mcpServers: { [name]: { command: "x" } } });
    const files = {
      "/repo/.git/HEAD": "",
      [PROJECT]: map("root"),
      "/repo/.github/mcp.json": map("hidden"),
      "/repo/sub/.github/mcp.json": map("near"),
    };
    const { entries } = await readOn(copilotCli, { cwd: "/repo/sub", files });
    expect(entries.map(({ name, enabled }) => [name, enabled])).toEqual([
      ["near", undefined],
      ["root", undefined],
      ["hidden", { value: false, rule: `${PROJECT} hides this whole file` }],
    ]);
  });

  test("can be disabled by the user's settings", async () => {
    const files = {
      [USER]: { mcpServers: { one: { command: "x" }, two: { command: "y" } } },
      [SETTINGS]: { disabledMcpServers: ["one", 2] },
    };
    const { entries } = await readOn(copilotCli, { files });
    expect(entries.map(({ enabled }) => enabled?.rule)).toEqual([
      `"disabledMcpServers" in ${SETTINGS}`,
      undefined,
    ]);
  });
});
