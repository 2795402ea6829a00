import { describe, expect, test } from "vitest";
import { connectToGateway, gatewayIn, PAIRS, startUpstream } from "../support/gateway-clients.ts";
import { createSandbox } from "../support/sandbox.ts";

describe.each(PAIRS)(
  "tools: $client client over $downstream, $server server over $upstream",
  ({ downstream, client: era, upstream, server }) => {
    test("lists and calls tools, with progress and errors", async () => {
      await using sandbox = await createSandbox();
      await using running = await startUpstream(upstream, server);
      await using gateway = await gatewayIn(sandbox, { servers: { tools: running.entry } });
      await using connected = await connectToGateway(gateway, downstream, era);
      const { client, received } = connected;

      const { tools } = await client.listTools();
      const echo = tools.find(({ name }) => name === "tools_echo");
      expect(echo).toMatchObject({
        title: "Echo",
        annotations: { readOnlyHint: true },
        inputSchema: { properties: { text: { type: "string" } } },
      });

      const said = await client.callTool({ name: "tools_echo", arguments: { text: "hello" } });
      expect(said.content).toEqual([{ type: "text", text: "hello" }]);
      const sum = await client.callTool({ name: "tools_add", arguments: { a: 1, b: 2 } });
      expect(sum.structuredContent).toEqual({ sum: 3 });

      const steps: unknown[] = [];
      const onprogress = (step: unknown): void => void steps.push(step);
      await client.callTool({ name: "tools_progress", arguments: { steps: 3 } }, { onprogress });
      expect(steps).toEqual(
        [1, 2, 3].map((step) => ({ progress: step, total: 3, message: `step ${step} of 3` })),
      );

      expect(await client.callTool({ name: "tools_fail", arguments: {} })).toMatchObject({ isError: true });
      await expect(client.callTool({ name: "tools_missing", arguments: {} })).rejects.toMatchObject({
        code: -32602,
      });
      const results = received.flatMap((message) => ("result" in message ? [message.result] : []));
      const isModern = era === "modern";
      expect(results.every((result) => "resultType" in result === isModern)).toBe(true);
    });
  },
);
