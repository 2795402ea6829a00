import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Host } from "../../src/index.ts";
import { serveHttp } from "../../src/testing/index.ts";
import { reportTests } from "../durability/counts.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";
import { failureOf, hostIn } from "./host-in.ts";

reportTests("changes of reader, entry or env file after an approval: all require approval again");

const SECRET = "hunter2hunter2";
const CLAUDE_OFF = { providersOff: ["claude-code", "copilot-cli", "qwen-code"] };
const STATE = ".local/state/plugboard/approvals.json";

const withToken = (sandbox: Sandbox) => ({ env: { ...sandbox.env(), GITHUB_TOKEN: SECRET } });
const approve = (host: Host, name: string) => host.approvals.approve(name, host.approvals.request(name).hash);
const shared = (sandbox: Sandbox, entry: object) =>
  sandbox.writeProject(".mcp.json", { mcpServers: { x: entry } });

/** Approves the entry of `.mcp.json` as Claude Code reads it. */
async function approveShared(sandbox: Sandbox, entry: object): Promise<void> {
  await shared(sandbox, entry);
  await using host = await hostIn(sandbox, withToken(sandbox));
  expect(host.approvals.request("x").source.tool).toBe("claude-code");
  await approve(host, "x");
}

describe("an approval covers which tool's rules apply", () => {
  test("deleting the type of an HTTP entry sends no token to its server without a new approval", async () => {
    await using sandbox = await createSandbox();
    const sent: unknown[] = [];
    await using server = await serveHttp(
      { name: "x", version: "1", tools: { hi: { run: () => "hi" } } },
      { guard: ({ headers }) => void sent.push(headers["x-trace"]) },
    );
    const entry = { url: server.url, headers: { "X-Trace": "$GITHUB_TOKEN" } };
    await approveShared(sandbox, { type: "http", ...entry });
    await using before = await hostIn(sandbox, withToken(sandbox));
    expect(await before.call("x", "hi")).toMatchObject({ text: "hi" });
    expect(new Set(sent)).toEqual(new Set(["$GITHUB_TOKEN"]));

    await shared(sandbox, entry);
    await using host = await hostIn(sandbox, withToken(sandbox));
    expect(await failureOf(host.call("x", "hi"))).toMatchObject({ code: "INTERACTION_REQUIRED" });
    expect(sent).not.toContain(SECRET);
    const { status, changes, source } = host.approvals.request("x");
    expect({ status, fields: changes.map(({ field }) => field) }).toEqual({
      status: "changed",
      fields: ["expansion", "reader", "type"],
    });
    expect(changes).toContainEqual({ field: "reader", before: "claude-code", after: source.tool });
  });

  test('changing "stdio" to "local" passes no variable to the program without a new approval', async () => {
    await using sandbox = await createSandbox();
    const entry = { ...stdioServer("tools-server.mjs"), env: { NOTE: "$GITHUB_TOKEN" } };
    await approveShared(sandbox, { type: "stdio", ...entry });
    await using before = await hostIn(sandbox, withToken(sandbox));
    expect(await before.call("x", "env", { name: "NOTE" })).toMatchObject({ text: "$GITHUB_TOKEN" });

    await shared(sandbox, { type: "local", ...entry });
    await using host = await hostIn(sandbox, withToken(sandbox));
    expect(await failureOf(host.call("x", "env", { name: "NOTE" }))).toMatchObject({
      code: "INTERACTION_REQUIRED",
    });
  });

  test("disabling providers runs no command that was approved as plain text", async () => {
    await using sandbox = await createSandbox();
    const canary = join(sandbox.home, "canary");
    const entry = { type: "stdio", ...stdioServer("tools-server.mjs"), env: { NOTE: `!id > ${canary}` } };
    await approveShared(sandbox, entry);
    await using host = await hostIn(sandbox, { settings: CLAUDE_OFF });
    expect(host.approvals.request("x").source.tool).toBe("mcp-json");
    expect(await failureOf(host.call("x", "env", { name: "NOTE" }))).toMatchObject({
      code: "INTERACTION_REQUIRED",
      message:
        'Server "x" needs your approval: it was approved as read by claude-code, but mcp-json reads it now.',
    });
    expect(existsSync(canary)).toBe(false);
  });

  test("the server is stopped if another tool becomes its reader while the host runs", async () => {
    await using sandbox = await createSandbox();
    const entry = { ...stdioServer("tools-server.mjs"), env: { NOTE: "$GITHUB_TOKEN" } };
    await approveShared(sandbox, { type: "stdio", ...entry });
    await using host = await hostIn(sandbox, withToken(sandbox));
    await host.connect("x");
    await shared(sandbox, { type: "local", ...entry });
    await host.reload();
    expect(host.servers()).toMatchObject([{ name: "x", state: "untrusted" }]);
  });

  test.each([
    ["another order of providers", { providerOrder: ["mcp-json", "copilot-cli"] }, "mcp-json", "untrusted"],
    ["an order that keeps its reader", { providerOrder: ["cursor", "gemini"] }, "claude-code", "idle"],
    ["a disabled reader with lower priority", { providersOff: ["mcp-json"] }, "claude-code", "idle"],
  ])("approval is required again only if the reader changes: %s", async (_, settings, tool, state) => {
    await using sandbox = await createSandbox();
    await approveShared(sandbox, { type: "stdio", command: "node", args: ["x.mjs"] });
    await using host = await hostIn(sandbox, { settings });
    expect(host.servers().map(({ source, state: is }) => [source.tool, is])).toEqual([[tool, state]]);
  });

  test("a field that its reader drops or renames is covered as written", async () => {
    await using sandbox = await createSandbox();
    const write = (entry: object) =>
      sandbox.writeProject("opencode.json", {
        mcp: { x: { type: "local", command: ["node", "x"], ...entry } },
      });
    await write({ environment: { A: "1" } });
    await using host = await hostIn(sandbox);
    await approve(host, "x");
    const stateWith = async (entry: object): Promise<unknown> => {
      await write(entry);
      await host.reload();
      return host.servers().map(({ state }) => state);
    };
    expect(await stateWith({ environment: { A: "1" }, enabled: true, timeout: 9 })).toEqual(["idle"]);
    expect(await stateWith({ environment: { A: "2" } })).toEqual(["untrusted"]);
    expect(await stateWith({ environment: { A: "1" }, envFile: ".env" })).toEqual(["untrusted"]);
    expect(await stateWith({ environment: { A: "1" } })).toEqual(["idle"]);
  });

  test("the hash is the same in every folder of the project", async () => {
    await using sandbox = await createSandbox();
    const folder = join(sandbox.project, "deep", "down");
    await mkdir(folder, { recursive: true });
    await sandbox.writeProject(".cursor/mcp.json", {
      mcpServers: { x: { command: "node", cwd: "${workspaceFolder}" } },
    });
    const hashes: string[] = [];
    for (const cwd of [sandbox.project, folder]) {
      await using host = await hostIn(sandbox, { cwd });
      hashes.push(host.approvals.request("x").hash);
    }
    expect(new Set(hashes).size).toBe(1);
  });

  test.each(["disabled", "timeout"])("another tool's %s is not covered", async (field) => {
    await using sandbox = await createSandbox();
    const write = (entry: object) =>
      sandbox.writeProject(".roo/mcp.json", { mcpServers: { x: { command: "node", ...entry } } });
    await write({});
    await using host = await hostIn(sandbox);
    const { hash } = host.approvals.request("x");
    await write({ [field]: field === "disabled" ? false : 60 });
    await host.reload();
    expect(host.approvals.request("x").hash).toBe(hash);
  });

  test("a field of that name in a native file is covered, because the pins depend on it", async () => {
    await using sandbox = await createSandbox();
    const write = (entry: object) =>
      sandbox.writeProject(".plugboard/mcp.json", { mcpServers: { x: { command: "node", ...entry } } });
    await write({});
    await using host = await hostIn(sandbox);
    const { hash } = host.approvals.request("x");
    for (const more of [{ title: "x" }, { disabled: false }, { timeoutMs: 5 }]) {
      await write(more);
      await host.reload();
      expect(host.approvals.request("x").hash).not.toBe(hash);
    }
    await write({ installTimeout: 5, timeout: 5, startupTimeout: 5, enabled: true, label: "x" });
    await host.reload();
    expect(host.approvals.request("x").hash).toBe(hash);
  });
});

describe("approvals that an older version recorded", () => {
  const FIXTURE = new URL("../fixtures/state-v1/approvals.json", import.meta.url);
  const NATIVE = { type: "stdio", command: "node", args: ["server.mjs"], env: { TOKEN: "${TOKEN}" } };
  const FILES: Record<string, object> = {
    ".plugboard/mcp.json": {
      mcpServers: {
        native: NATIVE,
        "with-env-file": { type: "stdio", command: "node", args: ["server.mjs"], envFile: ".env" },
      },
    },
    ".cursor/mcp.json": {
      mcpServers: {
        editor: { command: "node", args: ["editor.mjs"] },
        variable: { command: "node", env: { A: "${env:A}" } },
      },
    },
    ".mcp.json": {
      mcpServers: {
        shared: {
          type: "http",
          url: "https://example.com/mcp",
          headers: { "X-Trace": "$GITHUB_TOKEN" },
        },
        typed: { type: "stdio", command: "node", args: ["typed.mjs"] },
      },
    },
    "opencode.json": {
      mcp: { local: { type: "local", command: ["node", "local.mjs"], environment: { A: "{env:A}" } } },
    },
  };

  /** The project and the state folder as the older version left them. */
  async function older(): Promise<Sandbox> {
    const sandbox = await createSandbox();
    for (const [file, content] of Object.entries(FILES)) await sandbox.writeProject(file, { ...content });
    const text = await readFile(FIXTURE, "utf8");
    await sandbox.writeHome(STATE, text.replaceAll("/project/", `${sandbox.project}/`));
    return sandbox;
  }
  const states = (host: Host): unknown =>
    Object.fromEntries(host.servers().map(({ name, state }) => [name, state]));

  test("stay valid if only one tool reads the entry, but not if several do", async () => {
    await using sandbox = await older();
    await using host = await hostIn(sandbox);
    expect(states(host)).toEqual({
      native: "idle",
      "with-env-file": "idle",
      editor: "idle",
      local: "idle",
      variable: "untrusted", // Visual Studio reads the same file
      shared: "untrusted",
      typed: "untrusted",
    });
    const { status, changes } = host.approvals.request("shared");
    expect(status).toBe("changed");
    expect(changes).toContainEqual({ field: "reader", before: undefined, after: "claude-code" });
    expect(changes.map(({ field }) => field)).toEqual(["expansion", "reader"]);
  });

  test("show what changed since", async () => {
    await using sandbox = await older();
    await sandbox.writeProject(".plugboard/mcp.json", {
      mcpServers: { native: { ...NATIVE, args: ["evil.mjs"] } },
    });
    await using host = await hostIn(sandbox);
    expect(host.approvals.request("native").changes).toContainEqual({
      field: "args",
      before: ["server.mjs"],
      after: ["evil.mjs"],
    });
  });

  test.each([["the only reader left"], ["another reader"]])(
    "are not valid if only %s is enabled",
    async (which) => {
      await using sandbox = await older();
      const providersOff = which === "another reader" ? ["claude-code"] : CLAUDE_OFF.providersOff;
      await using host = await hostIn(sandbox, { settings: { providersOff } });
      expect(states(host)).toMatchObject({ native: "idle", typed: "untrusted", shared: "untrusted" });
    },
  );

  test.each([
    ["another key of the file", { servers: { shared: {} } }],
    ["the top of the file", { shared: {} }],
  ])("are not valid if the entry moved to %s, which only one tool reads", async (_, content) => {
    await using sandbox = await older();
    const entry = { type: "http", url: "https://example.com/mcp", headers: { "X-Trace": "$GITHUB_TOKEN" } };
    const text = JSON.stringify(content).replace("{}", JSON.stringify(entry));
    await sandbox.writeProject(".mcp.json", text);
    await using host = await hostIn(sandbox);
    expect(host.servers().find(({ name }) => name === "shared")).toMatchObject({
      state: "untrusted",
      source: expect.not.objectContaining({ readers: expect.anything() }),
    });
  });

  test("are kept, and become version 2 with the next approval", async () => {
    await using sandbox = await older();
    const before = JSON.parse(await readFile(join(sandbox.home, STATE), "utf8"));
    await sandbox.writeProject(".plugboard/mcp.json", {
      mcpServers: { native: NATIVE, more: { command: "node" } },
    });
    {
      await using host = await hostIn(sandbox);
      expect(JSON.parse(await readFile(join(sandbox.home, STATE), "utf8"))).toEqual(before);
      await approve(host, "more");
    }
    const after = JSON.parse(await readFile(join(sandbox.home, STATE), "utf8"));
    const versions = after.approvals.map(({ server, version = 2 }: { server: string; version?: number }) => [
      server,
      version,
    ]);
    expect(after.version).toBe(2);
    expect(Object.fromEntries(versions)).toEqual({
      "with-env-file": 1,
      shared: 1,
      typed: 1,
      local: 2,
      editor: 2,
      variable: 1,
      native: 2,
      more: 2,
    });
    // An entry that was removed counts again when it returns.
    await sandbox.writeProject(".plugboard/mcp.json", { ...FILES[".plugboard/mcp.json"] });
    await using host = await hostIn(sandbox);
    expect(states(host)).toMatchObject({ native: "idle", "with-env-file": "idle", editor: "idle" });
  });

  test("do not cover the variables of an envFile, which they do not record", async () => {
    await using sandbox = await older();
    await writeFile(join(sandbox.project, ".env"), "A=1\n");
    await using host = await hostIn(sandbox);
    expect(states(host)).toMatchObject({ native: "idle", "with-env-file": "untrusted" });
  });

  test("can be revoked", async () => {
    await using sandbox = await older();
    {
      await using host = await hostIn(sandbox);
      await host.approvals.revoke("native");
    }
    await using host = await hostIn(sandbox);
    expect(states(host)).toMatchObject({ native: "untrusted", editor: "idle" });
  });
});
