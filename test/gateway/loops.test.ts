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
