import { rm } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { createGateway, type Gateway } from "../../src/gateway.ts";
import { connectToGateway, type GatewayClient } from "../support/gateway-clients.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";

const PATIENT = { timeout: 20_000 };
const echo = stdioServer("tools-server.mjs");
const notes = stdioServer("notes-server.mjs");

const write = (sandbox: Sandbox, mcpServers: Record<string, unknown>, more: object = {}): Promise<string> =>
  sandbox.writeHome(".plugboard/mcp.json", { mcpServers, ...more });

const gatewayWith = ({ project, env }: Sandbox, offer = {}): Promise<Gateway> =>
  createGateway({ cwd: project, env: env(), offer: { waitMs: 60_000, ...offer } });

const serversOf = async ({ client }: Pick<GatewayClient, "client">): Promise<string[]> => {
  const { tools } = await client.listTools();
  return [...new Set(tools.map(({ name }) => name.split("_", 1)[0] ?? ""))].sort();
};
const changes = ({ received }: GatewayClient): number =>
  received.filter((message) => "method" in message && message.method === "notifications/tools/list_changed")
    .length;

describe.each(["stdio", "http"] as const)("clients over %s, while config files change", (downstream) => {
  test("get added servers' tools, and lose removed servers' tools", async () => {
    await using sandbox = await createSandbox();
    await write(sandbox, { notes });
    await using gateway = await gatewayWith(sandbox);
    await using connected = await connectToGateway(gateway, downstream, "legacy");
    expect(await serversOf(connected)).toEqual(["notes"]);
    await write(sandbox, { notes, echo });
    await expect.poll(() => serversOf(connected), PATIENT).toEqual(["echo", "notes"]);
    await expect.poll(() => changes(connected), PATIENT).toBeGreaterThan(0);
    const before = changes(connected);
    await write(sandbox, { echo });
    await expect.poll(() => serversOf(connected), PATIENT).toEqual(["echo"]);
    await expect.poll(() => changes(connected), PATIENT).toBeGreaterThan(before);
  });

  test("lose a tool that is denied later, in a list that they already have", async () => {
    await using sandbox = await createSandbox();
    await write(sandbox, { echo });
    await using gateway = await gatewayWith(sandbox);
    await using connected = await connectToGateway(gateway, downstream, "legacy");
    const names = async (): Promise<string[]> =>
      (await connected.client.listTools()).tools.map(({ name }) => name);
    const all = await names();
    expect(all).toContain("echo_echo");
    expect(await names()).toEqual(all);
    await write(sandbox, { echo: { ...echo, denyTools: ["echo"] } });
    await expect.poll(names, PATIENT).toEqual(all.filter((name) => name !== "echo_echo"));
    await write(sandbox, { echo });
    await expect.poll(names, PATIENT).toEqual(all);
  });

  test("clients of a removed bundle get no tools, instead of all of them", async () => {
    await using sandbox = await createSandbox();
    const bundles = { writing: { serverId: "notes", allowTools: ["write"] } };
    await write(sandbox, { notes, echo }, { bundles });
    await using gateway = await gatewayWith(sandbox, { bundles: ["writing"] });
    await using connected = await connectToGateway(gateway, downstream, "legacy");
    const names = async (): Promise<string[]> =>
      (await connected.client.listTools()).tools.map(({ name }) => name);
    expect(await names()).toEqual(["notes_write"]);
    await write(sandbox, { notes, echo });
    await expect.poll(names, PATIENT).toEqual([]);
    await expect(connected.client.callTool({ name: "notes_write", arguments: {} })).rejects.toMatchObject({
      code: -32602,
    });
  });
});

test("every spelling of an endpoint's path is the same endpoint, and disappears with its server", async () => {
  await using sandbox = await createSandbox();
  const file = await write(sandbox, { notes });
  await using gateway = await gatewayWith(sandbox);
  const { url, token } = await gateway.listen({ port: 0 });
  const open = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(new URL(path, url), {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "mcp-session-id" in headers ? "ping" : "initialize",
        params: {},
      }),
    });
  const session = (await open("/mcp/s/notes")).headers.get("mcp-session-id") ?? "";
  expect((await open("/mcp/s/%6e%6Ftes", { "mcp-session-id": session })).status).toBe(200);
  await rm(file);
  await expect.poll(async () => (await open("/mcp/s/notes")).status, PATIENT).toBe(404);
  expect((await open("/mcp/s/notes", { "mcp-session-id": session })).status).toBe(404);
});
