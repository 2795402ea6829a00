import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createSandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";
import { failureOf, hostIn } from "./host-in.ts";

const CONFIG = ".plugboard/mcp.json";

async function readJson(file: string): Promise<unknown> {
  return JSON.parse(await readFile(file, "utf8"));
}

describe("a server of a native file", () => {
  test("is disabled and enabled in its own entry", async () => {
    await using sandbox = await createSandbox();
    const file = await sandbox.writeHome(CONFIG, { mcpServers: { mine: { command: "node" } } });
    await using host = await hostIn(sandbox);
    expect(await host.config.setEnabled("mine", false)).toEqual({
      name: "mine",
      enabled: false,
      file,
      already: false,
    });
    expect(await readJson(file)).toEqual({ mcpServers: { mine: { command: "node", enabled: false } } });
    expect(host.servers().map(({ state }) => state)).toEqual(["disabled"]);
    expect(await host.config.setEnabled("mine", true)).toEqual({
      name: "mine",
      enabled: true,
      file,
      already: false,
    });
    expect(await readJson(file)).toEqual({ mcpServers: { mine: { command: "node", enabled: true } } });
    expect(host.servers().map(({ state }) => state)).toEqual(["idle"]);
  });

  test("of the project is disabled there, and stays approved", async () => {
    await using sandbox = await createSandbox();
    await using host = await hostIn(sandbox);
    const { file } = await host.config.add({ name: "ours", server: { command: "node" }, scope: "project" });
    await host.config.setEnabled("ours", false);
    expect(await readJson(file)).toEqual({
      mcpServers: { ours: { type: "stdio", command: "node", enabled: false } },
    });
    await host.config.setEnabled("ours", true);
    expect(host.servers().map(({ state }) => state)).toEqual(["idle"]);
  });

  test("that a list disables is removed from the list", async () => {
    await using sandbox = await createSandbox();
    const file = await sandbox.writeHome(CONFIG, {
      mcpServers: { mine: { command: "node" } },
      disabledServers: ["other", "mine"],
    });
    await using host = await hostIn(sandbox);
    await host.config.setEnabled("mine", true);
    expect(await readJson(file)).toEqual({
      mcpServers: { mine: { command: "node", enabled: true } },
      disabledServers: ["other"],
    });
  });

  test("that is disabled is stopped, and then refused", async () => {
    await using sandbox = await createSandbox();
    await sandbox.writeHome(CONFIG, { mcpServers: { raw: stdioServer("raw-server.mjs") } });
    await using host = await hostIn(sandbox);
    await host.connect("raw");
    await host.config.setEnabled("raw", false);
    expect(host.servers().map(({ state }) => state)).toEqual(["disabled"]);
    expect(await failureOf(host.call("raw", "echo", { text: "hi" }))).toMatchObject({
      code: "SERVER_DISABLED",
      message: 'Server "raw" is disabled.',
    });
    await host.config.setEnabled("raw", true);
    expect(await host.call("raw", "echo", { text: "hi" })).toMatchObject({ text: "hi" });
  });
});

describe("a server of another tool's file", () => {
  const THEIRS =
    '{ "mcpServers": { "theirs": { "command": "node" }, "off": { "command": "node", "disabled": true } } }';

  test("is enabled and disabled by lists in the user's own file, and is never in both", async () => {
    await using sandbox = await createSandbox();
    const theirs = await sandbox.writeHome(".codeium/windsurf/mcp_config.json", THEIRS);
    const own = join(sandbox.home, CONFIG);
    await using host = await hostIn(sandbox);
    expect(await host.config.setEnabled("theirs", false)).toEqual({
      name: "theirs",
      enabled: false,
      file: own,
      already: false,
    });
    expect(await readJson(own)).toEqual({ disabledServers: ["theirs"] });
    await host.config.setEnabled("off", true);
    expect(await readJson(own)).toEqual({ disabledServers: ["theirs"], enabledServers: ["off"] });
    expect(host.servers().map(({ name, state }) => [name, state])).toEqual([
      ["theirs", "disabled"],
      ["off", "idle"],
    ]);
    await host.config.setEnabled("theirs", true);
    await host.config.setEnabled("off", false);
    expect(await readJson(own)).toEqual({ enabledServers: ["theirs"], disabledServers: ["off"] });
    expect(host.servers().map(({ name, state }) => [name, state])).toEqual([
      ["theirs", "idle"],
      ["off", "disabled"],
    ]);
    expect(await readFile(theirs, "utf8")).toBe(THEIRS);
  });

  test("of the project still requires approval after it is enabled", async () => {
    await using sandbox = await createSandbox();
    await sandbox.writeProject(".mcp.json", { mcpServers: { theirs: { command: "node" } } });
    await using host = await hostIn(sandbox);
    await host.config.setEnabled("theirs", false);
    await host.config.setEnabled("theirs", true);
    expect(host.servers().map(({ state }) => state)).toEqual(["untrusted"]);
  });
});

test("enabling an enabled server writes nothing", async () => {
  await using sandbox = await createSandbox();
  const text = '{ "mcpServers": { "mine": { "command": "node" } } }';
  const file = await sandbox.writeHome(CONFIG, text);
  await using host = await hostIn(sandbox);
  expect(await host.config.setEnabled("mine", true)).toEqual({
    name: "mine",
    enabled: true,
    file,
    already: true,
  });
  expect(await readFile(file, "utf8")).toBe(text);
});

test("a server in no list and no file can be neither enabled nor disabled", async () => {
  await using sandbox = await createSandbox();
  await sandbox.writeHome(CONFIG, { mcpServers: { files: { command: "node" } } });
  await using host = await hostIn(sandbox);
  expect(await failureOf(host.config.setEnabled("fils", false))).toMatchObject({
    code: "SERVER_UNKNOWN",
    hint: expect.stringContaining('"files"'),
  });
});
