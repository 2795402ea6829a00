import { describe, expect, test } from "vitest";
import { connectToGateway, gatewayIn, startUpstream } from "../support/gateway-clients.ts";
import { createSandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";

const CELLS = (["stdio", "http"] as const).flatMap((downstream) =>
  (["legacy", "modern"] as const).flatMap((client) =>
    (["legacy", "modern"] as const).map((server) => ({ downstream, client, server })),
  ),
);

describe.each(CELLS)(
  "loops: $client client over $downstream, $server server",
  ({ downstream, client: era, server }) => {
    test("a request that passed four gateways is refused, and one that passed three is not", async () => {
      await using sandbox = await createSandbox();
      await using upstream = await startUpstream("stdio", server);
      await using gateway = await gatewayIn(sandbox, { servers: { tools: upstream.entry } });
      await using connected = await connectToGateway(gateway, downstream, era);
      const call = (hops: number) =>
        connected.client.callTool({
          name: "tools_echo",
          arguments: { text: "x" },
          _meta: { "dev.plugboard/hops": hops },
        });
      expect((await call(3)).content).toEqual([{ type: "text", text: "x" }]);
      await expect(call(4)).rejects.toMatchObject({ code: -32603, data: { reason: "loop" } });
    });
  },
);

test.each(["legacy", "modern"] as const)(
  "an entry with the gateway's own address adds no tools, %s",
  async (era) => {
    await using sandbox = await createSandbox();
    const config = (mcpServers: object) => sandbox.writeHome(".plugboard/mcp.json", { mcpServers });
    const notes = stdioServer("notes-server.mjs");
    await config({ notes });
    await using gateway = await gatewayIn(sandbox, { discover: true });
    const { url, token } = await gateway.listen({ port: 0 });
    const protocol = era === "legacy" ? "legacy" : "2026-07-28";
    const itself = { type: "http", url, headers: { Authorization: `Bearer ${token}` }, protocol };
    await config({ notes, itself });
    await expect.poll(() => gateway.snapshot().servers.map(({ name }) => name)).toContain("itself");
    await using connected = await connectToGateway(gateway, "http", era);
    for (let turn = 0; turn < 3; turn += 1) {
      const { tools } = await connected.client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(["notes_write", "notes_hang_up", "notes_leave"]);
    }
  },
);

test("a shell command that starts a gateway starts one process, and adds no tools", async () => {
  await using sandbox = await createSandbox();
  const main = `${process.cwd()}/dist/surfaces/cli/main.cjs`;
  const mark = sandbox.project;
  const command = `exec '${process.execPath}' --conditions='${mark}' '${main}' serve --stdio --alone`;
  const mcpServers = {
    notes: stdioServer("notes-server.mjs"),
    itself: { command: "sh", args: ["-c", command] },
  };
  await sandbox.writeHome(".plugboard/mcp.json", { mcpServers });
  await using gateway = await gatewayIn(sandbox, { discover: true });
  await using connected = await connectToGateway(gateway, "stdio", "modern");
  const { tools } = await connected.client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(["notes_write", "notes_hang_up", "notes_leave"]);
});

test("an entry that starts a gateway is never served", async () => {
  await using sandbox = await createSandbox();
  const servers = {
    itself: { command: "plugboard", args: ["serve", "--stdio"] },
    notes: stdioServer("notes-server.mjs"),
  };
  await using gateway = await gatewayIn(sandbox, { servers });
  await using connected = await connectToGateway(gateway, "stdio", "modern");
  const names = (await connected.client.listTools()).tools.map(({ name }) => name);
  expect(names).toEqual(["notes_write", "notes_hang_up", "notes_leave"]);
});
