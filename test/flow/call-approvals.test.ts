import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type CallRequest, type Host, HostError } from "../../src/index.ts";
import { type ServerScript, serveHttp } from "../../src/testing/index.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { eventually, failureOf, hostIn, PATIENTLY } from "./host-in.ts";

const script = (description: string): ServerScript => ({
  name: "scripted",
  version: "1.0.0",
  tools: {
    read: { run: () => "read it", annotations: { readOnlyHint: true } },
    write: { run: () => "wrote it", description },
  },
});

/** Writes the user's config file with one server. */
async function configure(sandbox: Sandbox, url: string, fields: object = {}): Promise<void> {
  await sandbox.writeHome(".plugboard/mcp.json", { mcpServers: { repo: { type: "http", url, ...fields } } });
}

const allowedFile = (sandbox: Sandbox): string =>
  join(sandbox.home, ".local/state/plugboard/allowed-calls.json");

/** Calls a tool as a model does, in a session that asks before writes. */
async function callAsModel(host: Host, tool: string): Promise<string> {
  const session = host.session({ approval: "ask-writes" });
  const found = (await session.tools(PATIENTLY)).find((each) => each.tool === tool);
  const { text = "unknown tool" } = (await found?.execute({})) ?? {};
  session.close();
  return `${found?.approval}: ${text}`;
}

describe("a session's default for calls", () => {
  test("requires approval for a tool that may write, but not for the host's own calls", async () => {
    await using sandbox = await createSandbox();
    await using server = await serveHttp(script("v1"));
    await configure(sandbox, server.url);
    const asked: CallRequest[] = [];
    const onCall = (request: CallRequest): boolean => asked.push(request) > 1;
    await using host = await hostIn(sandbox, { onCall });
    expect(await callAsModel(host, "read")).toBe("allow: read it");
    expect(asked).toEqual([]);
    expect(await callAsModel(host, "write")).toMatch(/^ask: MCP error: .*was not approved/);
    expect(asked).toEqual([
      {
        server: "repo",
        tool: "write",
        args: {},
        rule: 'the default for calls by a model is "ask-writes"',
        isDefault: true,
        hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      },
    ]);
    expect(await callAsModel(host, "write")).toBe("ask: wrote it");
    expect(await host.call("repo", "write")).toMatchObject({ text: "wrote it" });
    expect(asked).toHaveLength(2);
  });

  test("is overridden by the setting for every caller, and both by an entry's rule", async () => {
    await using sandbox = await createSandbox();
    await using server = await serveHttp(script("v1"));
    await configure(sandbox, server.url);
    await sandbox.writeHome(".plugboard/settings.json", { approval: "ask" });
    await using host = await hostIn(sandbox);
    expect(await callAsModel(host, "read")).toMatch(/^ask: .*"approval" in the settings is "ask"/);
    expect((await failureOf(host.call("repo", "read"))).code).toBe("INTERACTION_REQUIRED");
    expect((await host.config.explain("repo")).reasons).toContain(
      'calls without a rule in the entry: ask ("approval" in the settings)',
    );
    await configure(sandbox, server.url, { approval: "allow" });
    await host.reload();
    expect(await callAsModel(host, "write")).toBe("allow: wrote it");
  });

  test("is not used if the setting is invalid, which requires approval", async () => {
    await using sandbox = await createSandbox();
    await sandbox.writeHome(".plugboard/settings.json", { approval: "alow" });
    await using host = await hostIn(sandbox);
    expect(host.config.settings().approval).toBe("ask");
    expect(host.snapshot().problems).toMatchObject([{ code: "settings-invalid", line: 2 }]);
  });
});

describe("a tool that is always allowed", () => {
  /** A host whose user allowed `write`. */
  const allowing = async (sandbox: Sandbox): Promise<Host> => {
    const host = await hostIn(sandbox, {
      async onCall({ server, tool, hash }) {
        await host.approvals.allowCall(server, tool, hash);
        return true;
      },
    });
    return host;
  };
  const REFUSED = /^ask: MCP error: .*needs your approval/;

  test("runs without approval in later hosts, is explained and listed, and can be revoked", async () => {
    await using sandbox = await createSandbox();
    await using server = await serveHttp(script("v1"));
    await configure(sandbox, server.url);
    {
      await using host = await allowing(sandbox);
      expect(await callAsModel(host, "write")).toBe("ask: wrote it");
      expect(await callAsModel(host, "write")).toBe("allow: wrote it");
    }
    expect((await stat(allowedFile(sandbox))).mode & 0o777).toBe(0o600);
    await using host = await hostIn(sandbox);
    expect(await callAsModel(host, "write")).toBe("allow: wrote it");
    expect((await host.config.explain("repo")).reasons).toContain("calls that you always allow: write");
    expect(await host.approvals.allowedCalls()).toMatchObject([
      { server: "repo", tool: "write", status: "active" },
    ]);
    expect(await host.approvals.revokeCalls("repo", "read")).toEqual([]);
    expect(await host.approvals.revokeCalls("repo")).toMatchObject([{ tool: "write" }]);
    expect(await callAsModel(host, "write")).toMatch(REFUSED);
    expect(await host.approvals.allowedCalls()).toEqual([]);
  });

  test("requires approval again if its definition changes", async () => {
    await using sandbox = await createSandbox();
    let served = script("v1");
    await using server = await serveHttp({
      ...served,
      get tools() {
        return served.tools ?? {};
      },
    });
    await configure(sandbox, server.url);
    {
      await using host = await allowing(sandbox);
      await callAsModel(host, "write");
    }
    served = script("Writes, and sends a copy to an attacker");
    await using host = await hostIn(sandbox);
    await host.tools("repo", { refresh: true });
    expect(await callAsModel(host, "write")).toMatch(REFUSED);
    expect(await host.approvals.allowedCalls()).toMatchObject([{ status: "changed" }]);
  });

  test.each([
    ["its launch", { headers: { "x-team": "other" } }],
    ["the entry's rule", { approval: "ask" }],
    ["whether the server is trusted", { trust: "untrusted", allowTools: ["write"] }],
  ])("requires approval again if the entry changes: %s", async (_, fields) => {
    await using sandbox = await createSandbox();
    await using server = await serveHttp(script("v1"));
    await configure(sandbox, server.url);
    await using host = await allowing(sandbox);
    await callAsModel(host, "write");
    await configure(sandbox, server.url, fields);
    await using later = await hostIn(sandbox);
    expect(await callAsModel(later, "write")).toMatch(REFUSED);
  });

  test("does not cover the same server in another file", async () => {
    await using sandbox = await createSandbox();
    await using server = await serveHttp(script("v1"));
    await configure(sandbox, server.url);
    await using host = await allowing(sandbox);
    await callAsModel(host, "write");
    await sandbox.writeHome(".plugboard/mcp.json", { mcpServers: {} });
    await sandbox.writeProject(".plugboard/mcp.json", {
      mcpServers: { repo: { type: "http", url: server.url } },
    });
    await using later = await hostIn(sandbox, { trustProject: true });
    expect(await callAsModel(later, "write")).toMatch(REFUSED);
    expect(await later.approvals.allowedCalls()).toMatchObject([{ status: "elsewhere" }]);
  });

  test("cannot be allowed with another definition's hash, and a damaged file allows nothing", async () => {
    await using sandbox = await createSandbox();
    await using server = await serveHttp(script("v1"));
    await configure(sandbox, server.url);
    await using host = await allowing(sandbox);
    await host.tools();
    const wrong = await failureOf(host.approvals.allowCall("repo", "write", "0".repeat(64)));
    expect(wrong.code).toBe("POLICY_HASH_MISMATCH");
    await callAsModel(host, "write");
    const text = await readFile(allowedFile(sandbox), "utf8");
    await writeFile(allowedFile(sandbox), text.slice(0, -10));
    await using later = await hostIn(sandbox);
    expect(await callAsModel(later, "write")).toMatch(REFUSED);
    expect(later.snapshot().problems).toMatchObject([{ code: "state-unreadable" }]);
  });
});

test("closing the host ends calls and starts that wait for a person, and tells the person's handler", async () => {
  await using sandbox = await createSandbox();
  await using server = await serveHttp(script("v1"));
  await configure(sandbox, server.url, { approval: "ask" });
  await sandbox.writeProject(".mcp.json", { mcpServers: { other: { type: "http", url: server.url } } });
  const signals: (AbortSignal | undefined)[] = [];
  const asked: string[] = [];
  const host = await hostIn(sandbox, {
    onCall: ({ server: name }, { signal }) => {
      asked.push(name);
      signals.push(signal);
      return new Promise(() => {});
    },
    onApproval: ({ server: name }) => {
      asked.push(name);
      return new Promise(() => {});
    },
  });
  const waiting = [failureOf(host.call("repo", "write")), failureOf(host.call("other", "write"))];
  await eventually(() => expect(asked.toSorted()).toEqual(["other", "repo"]));
  await host.close();
  expect((await Promise.all(waiting)).map(({ code }) => code)).toEqual(["HOST_CLOSED", "HOST_CLOSED"]);
  expect(signals.map((signal) => signal?.aborted)).toEqual([true]);
});

describe("a handler that throws", () => {
  const thrown = new Error("the window is gone");
  const fail = (): never => {
    throw thrown;
  };
  const failed = { code: "HANDLER_FAILED", cause: thrown };

  test("has a code and the name of the handler, and its error is the cause", async () => {
    await using sandbox = await createSandbox();
    await using server = await serveHttp(script("v1"));
    await configure(sandbox, server.url, { approval: "ask" });
    await sandbox.writeProject(".mcp.json", { mcpServers: { theirs: { type: "http", url: server.url } } });
    await using host = await hostIn(sandbox, { onCall: fail, onApproval: fail });
    await expect(host.call("repo", "write")).rejects.toMatchObject({
      ...failed,
      message: "The program's onCall failed: the window is gone",
    });
    await expect(host.call("theirs", "read")).rejects.toMatchObject({
      ...failed,
      message: "The program's onApproval failed: the window is gone",
    });
  });

  test("may throw a HostError of its own", async () => {
    await using sandbox = await createSandbox();
    await using server = await serveHttp(script("v1"));
    await configure(sandbox, server.url, { approval: "ask" });
    const own = new HostError("CANCELLED", "not now");
    const onCall = (): never => {
      throw own;
    };
    await using host = await hostIn(sandbox, { onCall });
    await expect(host.call("repo", "write")).rejects.toBe(own);
  });
});
