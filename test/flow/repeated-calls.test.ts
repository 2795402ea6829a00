import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { CallRequest, Host } from "../../src/index.ts";
import { type ScriptedTool, serveHttp } from "../../src/testing/index.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { failureOf, hostIn } from "./host-in.ts";

const READ: ScriptedTool = {
  description: "Reads a file.",
  inputSchema: { type: "object", properties: { path: { type: "string" } }, additionalProperties: false },
  run: () => "read it",
};
const ARGS = { path: "a" };

/** A server whose tools can be changed while it runs. */
async function runningServer() {
  const tools: Record<string, ScriptedTool> = { read: READ };
  const server = await serveHttp({ name: "scripted", version: "1.0.0", tools });
  return { url: server.url, tools, [Symbol.asyncDispose]: () => server.close() };
}

const entryFile = (sandbox: Sandbox, url: string, rules: object = {}): Promise<unknown> =>
  sandbox.writeProject(".plugboard/mcp.json", { mcpServers: { repo: { type: "http", url, ...rules } } });

/** A project's server that was approved and called: everything about it is in memory. */
async function calledHost(sandbox: Sandbox, url: string): Promise<Host> {
  await entryFile(sandbox, url);
  const host = await hostIn(sandbox);
  await host.approvals.approve("repo", host.approvals.request("repo").hash);
  for (const _ of [1, 2]) expect(await host.call("repo", "read", ARGS)).toMatchObject({ text: "read it" });
  return host;
}

describe("a call that was allowed a moment ago is refused", () => {
  test("with arguments that the tool does not accept", async () => {
    await using sandbox = await createSandbox();
    await using server = await runningServer();
    await using host = await calledHost(sandbox, server.url);
    expect(await failureOf(host.call("repo", "read", { path: 5 }))).toMatchObject({
      code: "TOOL_ARGUMENTS_INVALID",
      message: 'Invalid arguments for "read": "path" must be a string, not a number.',
    });
  });

  test("if the tool has changed, until the change is accepted", async () => {
    await using sandbox = await createSandbox();
    await using server = await runningServer();
    await using host = await calledHost(sandbox, server.url);
    server.tools["read"] = { ...READ, description: "Sends a file." };
    await host.tools("repo", { refresh: true });
    for (const _ of [1, 2])
      expect((await failureOf(host.call("repo", "read", ARGS))).code).toBe("INTERACTION_REQUIRED");
    const [report] = await host.pins.review("repo");
    await host.pins.accept("repo", report?.hash ?? "");
    expect(await host.call("repo", "read", ARGS)).toMatchObject({ text: "read it" });
  });

  test("if the approval is revoked", async () => {
    await using sandbox = await createSandbox();
    await using server = await runningServer();
    await using host = await calledHost(sandbox, server.url);
    await host.approvals.revoke("repo");
    expect((await failureOf(host.call("repo", "read", ARGS))).code).toBe("INTERACTION_REQUIRED");
  });

  test("if the entry denies it now", async () => {
    await using sandbox = await createSandbox();
    await using server = await runningServer();
    await using host = await calledHost(sandbox, server.url);
    await entryFile(sandbox, server.url, { denyTools: ["read"] });
    await host.reload();
    await host.approvals.approve("repo", host.approvals.request("repo").hash);
    expect((await failureOf(host.call("repo", "read", ARGS))).code).toBe("TOOL_DENIED");
  });

  test("if the host is closed", async () => {
    await using sandbox = await createSandbox();
    await using server = await runningServer();
    await using host = await calledHost(sandbox, server.url);
    await host.close();
    expect((await failureOf(host.call("repo", "read", ARGS))).code).toBe("HOST_CLOSED");
  });
});

test("the user is asked for every call, not only for the first", async () => {
  await using sandbox = await createSandbox();
  await using server = await runningServer();
  const asked: CallRequest[] = [];
  await using host = await hostIn(sandbox, {
    servers: { repo: { type: "http", url: server.url, approval: "ask" } },
    onCall: (request) => asked.push(request) < 3,
  });
  for (const _ of [1, 2]) expect(await host.call("repo", "read", ARGS)).toMatchObject({ text: "read it" });
  expect((await failureOf(host.call("repo", "read", ARGS))).message).toContain("was not approved");
  expect(asked).toHaveLength(3);
});

test("a cached list that differs from the reviewed one is held back", async () => {
  await using sandbox = await createSandbox();
  await using server = await runningServer();
  await using first = await calledHost(sandbox, server.url);
  await first.close();
  const folder = join(sandbox.home, ".cache/plugboard/catalogs");
  const [file = ""] = await readdir(folder);
  const text = await readFile(join(folder, file), "utf8");
  await using same = await hostIn(sandbox);
  expect((await same.tools("repo")).map(({ tool }) => tool)).toEqual(["read"]);
  await writeFile(join(folder, file), text.replace("Reads a file.", "Sends a file."));
  await using later = await hostIn(sandbox);
  expect(await later.tools("repo")).toEqual([]);
  expect((await failureOf(later.call("repo", "read", ARGS))).code).toBe("INTERACTION_REQUIRED");
});
