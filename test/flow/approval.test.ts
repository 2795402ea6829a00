import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ApprovalRequest } from "../../src/index.ts";
import { nodePorts } from "../../src/platform/node/index.ts";
import { serveHttp } from "../../src/testing/index.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { type StdioEntry, stdioServer } from "../support/test-servers.ts";
import { eventsOf, failureOf, hostIn, PATIENTLY } from "./host-in.ts";

const CONFIG = ".plugboard/mcp.json";
const NEEDS_APPROVAL = {
  code: "INTERACTION_REQUIRED",
  message: 'Server "raw" needs your approval: defined by this project; not approved yet.',
  hint: "Review what it would run, then approve it.",
  server: "raw",
};

/** A server that leaves a file behind when it is started. */
function canary(sandbox: Sandbox): { readonly entry: StdioEntry; sang(): boolean } {
  const file = join(sandbox.home, "canary");
  const script = `require("fs").writeFileSync(process.env.CANARY, "")`;
  const args = ["-e", script];
  return {
    entry: { command: process.execPath, args, env: { CANARY: file } },
    sang: () => existsSync(file),
  };
}

async function writeProjectServers(sandbox: Sandbox, mcpServers: Record<string, unknown>): Promise<string> {
  return sandbox.writeProject(CONFIG, { mcpServers });
}

describe("before it is approved, a project's server", () => {
  test("is not started by any operation of the host", async () => {
    await using sandbox = await createSandbox();
    const { entry, sang } = canary(sandbox);
    await writeProjectServers(sandbox, { raw: entry });
    await using host = await hostIn(sandbox);
    const events = eventsOf(host);

    expect(host.servers().map(({ name, state, tier }) => [name, state, tier])).toEqual([
      ["raw", "untrusted", "project"],
    ]);
    expect(await host.tools(PATIENTLY)).toEqual([]);
    expect(await host.session().tools(PATIENTLY)).toEqual([]);
    await host.connectAll();
    await host.reload();
    for (const refused of [
      host.call("raw", "echo"),
      host.tools("raw"),
      host.doctor.test("raw"),
      host.connect("raw"),
    ]) {
      expect(await failureOf(refused)).toEqual(NEEDS_APPROVAL);
    }
    expect(host.approvals.request("raw").status).toBe("missing");
    expect(sang()).toBe(false);
    expect(new Set(events.map(({ type }) => type))).toEqual(new Set(["input.needed"]));
    expect(events[0]).toEqual({ type: "input.needed", server: "raw", reason: "trust" });
  });

  test("is not connected to, and no variable is expanded for it", async () => {
    await using sandbox = await createSandbox();
    const asked: string[] = [];
    await using server = await serveHttp(
      { name: "listener", version: "1" },
      { guard: ({ url, headers }) => void asked.push(`${url} ${headers.authorization}`) },
    );
    const url = `${server.url}/\${HOST_TOKEN}`;
    await writeProjectServers(sandbox, {
      raw: { type: "http", url, headers: { Authorization: "${HOST_TOKEN}" } },
    });
    const env = { ...sandbox.env(), HOST_TOKEN: "hunter2hunter2" };
    await using host = await hostIn(sandbox, { env });

    await host.tools(PATIENTLY);
    await host.connectAll();
    expect(await failureOf(host.call("raw", "echo"))).toEqual(NEEDS_APPROVAL);
    const seen = JSON.stringify([
      host.servers({ all: true }),
      host.snapshot(),
      host.approvals.request("raw"),
    ]);
    expect(seen).toContain("${HOST_TOKEN}");
    expect(seen).not.toContain("hunter2");
    expect(asked).toEqual([]);
  });

  test("cannot replace the user's server with the same name", async () => {
    await using sandbox = await createSandbox();
    const { entry, sang } = canary(sandbox);
    await sandbox.writeHome(CONFIG, { mcpServers: { raw: stdioServer("raw-server.mjs") } });
    await writeProjectServers(sandbox, { raw: entry });
    await using host = await hostIn(sandbox);
    expect(await host.call("raw", "echo", { text: "mine" })).toMatchObject({
      text: "mine",
      details: { source: { scope: "user" } },
    });
    expect(sang()).toBe(false);
    expect(host.servers({ all: true }).map(({ source, state }) => [source.scope, state])).toEqual([
      ["user", "connected"],
      ["project", "untrusted"],
    ]);
  });

  test("cannot approve itself", async () => {
    await using sandbox = await createSandbox();
    const { entry, sang } = canary(sandbox);
    await sandbox.writeProject(CONFIG, {
      mcpServers: { raw: { ...entry, trust: "trusted" } },
      enabledServers: ["raw"],
      trustProject: true,
    });
    await using host = await hostIn(sandbox);
    expect(await failureOf(host.call("raw", "echo"))).toEqual(NEEDS_APPROVAL);
    expect(sang()).toBe(false);
  });
});

describe("an approval", () => {
  test("covers the whole launch as written", async () => {
    await using sandbox = await createSandbox();
    const file = await writeProjectServers(sandbox, {
      raw: { command: "run-it", args: ["${WHERE}"], env: { KEY: "value" }, timeout: 5, label: "x", odd: 1 },
    });
    await using host = await hostIn(sandbox);
    expect(host.approvals.request("raw")).toEqual({
      server: "raw",
      source: { tool: "plugboard", scope: "project", tier: "project", file, line: 3, column: 5 },
      status: "missing",
      launch: { command: "run-it", args: ["${WHERE}"], env: { KEY: "value" }, odd: 1 },
      entry: { command: "run-it", args: ["${WHERE}"], env: { KEY: "value" }, odd: 1 },
      expansion: expect.objectContaining({ syntaxes: ["braced", "default", "keychain"], secretValues: true }),
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      changes: [],
    });
  });

  test("lets the server run, now and for every later host", async () => {
    await using sandbox = await createSandbox();
    await writeProjectServers(sandbox, { raw: stdioServer("raw-server.mjs") });
    {
      await using host = await hostIn(sandbox);
      const { hash } = host.approvals.request("raw");
      expect(await host.approvals.approve("raw", hash)).toMatchObject({ status: "approved", hash });
      expect(await host.call("raw", "echo", { text: "now" })).toMatchObject({ text: "now" });
    }
    await using later = await hostIn(sandbox);
    expect(await later.call("raw", "echo", { text: "later" })).toMatchObject({ text: "later" });
  });

  test("of another launch, or of a part of the hash, is refused", async () => {
    await using sandbox = await createSandbox();
    await writeProjectServers(sandbox, { raw: stdioServer("raw-server.mjs") });
    await using host = await hostIn(sandbox);
    const { choices, hash: declared } = await host.approvals.inspect("raw");
    const hash = choices?.[0]?.hash ?? declared;
    for (const wrong of ["0".repeat(64), hash.slice(0, 32), ""]) {
      expect(await failureOf(host.approvals.approve("raw", wrong))).toEqual({
        code: "POLICY_HASH_MISMATCH",
        message: `Server "raw" is not the launch that was reviewed: its hash is ${hash}.`,
        hint: "Review it again, then approve the new hash.",
        server: "raw",
      });
    }
    expect(await failureOf(host.connect("raw"))).toEqual(NEEDS_APPROVAL);
  });

  test("is not needed for the user's own server", async () => {
    await using sandbox = await createSandbox();
    await sandbox.writeHome(CONFIG, { mcpServers: { raw: stdioServer("raw-server.mjs") } });
    await using host = await hostIn(sandbox);
    const { hash, status } = host.approvals.request("raw");
    expect(status).toBe("notNeeded");
    expect(await failureOf(host.approvals.approve("raw", hash))).toMatchObject({ code: "POLICY_NOT_NEEDED" });
  });

  test("in one project does not apply to the same server in another", async () => {
    await using first = await createSandbox();
    await using second = await createSandbox();
    const entry = stdioServer("raw-server.mjs");
    await writeProjectServers(first, { raw: entry });
    await writeProjectServers(second, { raw: entry });
    await using host = await hostIn(first);
    await host.approvals.approve("raw", host.approvals.request("raw").hash);
    await using other = await hostIn(first, { cwd: second.project });
    expect(await failureOf(other.connect("raw"))).toEqual(NEEDS_APPROVAL);
  });
});

describe("a launch that changed since it was approved", () => {
  test("requires approval again and shows the difference", async () => {
    await using sandbox = await createSandbox();
    const { command, args } = stdioServer("raw-server.mjs");
    await writeProjectServers(sandbox, { raw: { command, args } });
    await using host = await hostIn(sandbox);
    await host.approvals.approve("raw", host.approvals.request("raw").hash);
    await host.connect("raw");

    const { entry, sang } = canary(sandbox);
    await writeProjectServers(sandbox, { raw: entry });
    await host.reload();

    expect(await failureOf(host.call("raw", "echo", { text: "hi" }))).toMatchObject({
      code: "INTERACTION_REQUIRED",
      message: 'Server "raw" needs your approval: its launch changed since it was approved.',
    });
    expect(host.approvals.request("raw")).toMatchObject({
      status: "changed",
      changes: [
        { field: "args", before: args, after: entry.args },
        { field: "env", before: undefined, after: entry.env },
      ],
    });
    expect(sang()).toBe(false);
    expect(host.servers()[0]?.state).toBe("untrusted");
  });

  test("only in its label and timeouts does not require approval again", async () => {
    await using sandbox = await createSandbox();
    const entry = stdioServer("raw-server.mjs");
    await writeProjectServers(sandbox, { raw: entry });
    await using host = await hostIn(sandbox);
    await host.approvals.approve("raw", host.approvals.request("raw").hash);
    await writeProjectServers(sandbox, { raw: { ...entry, label: "Raw", description: "x", timeout: 9_000 } });
    await host.reload();
    expect(await host.call("raw", "echo", { text: "hi" })).toMatchObject({ text: "hi" });
  });
});

test("`trustProject` trusts the project for this host only and stores nothing", async () => {
  await using sandbox = await createSandbox();
  await writeProjectServers(sandbox, { raw: stdioServer("raw-server.mjs") });
  {
    await using host = await hostIn(sandbox, { trustProject: true });
    expect(await host.call("raw", "echo", { text: "hi" })).toMatchObject({ text: "hi" });
  }
  await using later = await hostIn(sandbox);
  expect(await failureOf(later.connect("raw"))).toEqual(NEEDS_APPROVAL);
});

describe("a user who can be asked", () => {
  test("is asked once for all waiting callers, and the approval is stored", async () => {
    await using sandbox = await createSandbox();
    await writeProjectServers(sandbox, { raw: stdioServer("raw-server.mjs") });
    const asked: ApprovalRequest[] = [];
    const onApproval = async (request: ApprovalRequest): Promise<boolean> => {
      asked.push(request);
      return true;
    };
    await using host = await hostIn(sandbox, { onApproval });
    const calls = Array.from({ length: 5 }, () => host.call("raw", "echo", { text: "hi" }));
    expect((await Promise.all(calls)).map(({ text }) => text)).toEqual(["hi", "hi", "hi", "hi", "hi"]);
    expect(asked).toEqual([{ ...host.approvals.request("raw"), status: "missing" }]);

    await using later = await hostIn(sandbox);
    expect(await later.connect("raw")).toMatchObject({ name: "raw" });
  });

  test.each([false, undefined, null, "yes", 1, {}, { hash: true }])(
    "refuses with %j, and then nothing runs",
    async (answer) => {
      await using sandbox = await createSandbox();
      const { entry, sang } = canary(sandbox);
      await writeProjectServers(sandbox, { raw: entry });
      await using host = await hostIn(sandbox, { onApproval: () => answer as boolean });
      expect(await failureOf(host.call("raw", "echo"))).toEqual(NEEDS_APPROVAL);
      expect(sang()).toBe(false);
    },
  );

  test("is not asked if interaction is forbidden", async () => {
    await using sandbox = await createSandbox();
    await writeProjectServers(sandbox, { raw: stdioServer("raw-server.mjs") });
    let asked = 0;
    const onApproval = (): boolean => {
      asked += 1;
      return true;
    };
    await using host = await hostIn(sandbox, { interaction: "forbid", onApproval });
    expect(await failureOf(host.connect("raw"))).toEqual(NEEDS_APPROVAL);
    expect(asked).toBe(0);
  });
});

test("a program that cannot be read on disk is inspected as declared", async () => {
  await using sandbox = await createSandbox();
  await sandbox.writeProject(".mcp.json", { mcpServers: { shell: { command: "/bin/sh" } } });
  const refuse = () => Promise.reject(Object.assign(new Error("EACCES: no"), { code: "EACCES" }));
  const { files } = nodePorts();
  const programOf = async (broken: Partial<typeof files>) => {
    await using host = await hostIn(sandbox, { ports: { files: { ...files, ...broken } } });
    return (await host.approvals.inspect("shell")).program;
  };
  expect(
    await programOf({ realPath: (path) => (path === "/bin/sh" ? refuse() : files.realPath(path)) }),
  ).toBe("/bin/sh");
  expect(
    await programOf({ kind: (path) => (path === "/bin/sh" ? refuse() : files.kind(path)) }),
  ).toBeUndefined();
});
