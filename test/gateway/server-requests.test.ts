import type { Client } from "@modelcontextprotocol/client";
import { afterAll, describe, expect, test } from "vitest";
import { connectToGateway, gatewayIn, PAIRS, upstreamsOf } from "../support/gateway-clients.ts";
import { createSandbox } from "../support/sandbox.ts";

const asking = upstreamsOf("asking-server.mjs");
afterAll(() => asking.close());

const CAPABILITIES = { elicitation: { form: {}, url: {} }, sampling: { tools: {} }, roots: {} };

function answering(client: Client, asked: unknown[]): void {
  client.setRequestHandler("elicitation/create", ({ params }) => {
    asked.push(params);
    return params.mode === "url" ? { action: "accept" } : { action: "accept", content: { name: "Ada" } };
  });
  client.setRequestHandler("sampling/createMessage", ({ params }) => {
    asked.push(params);
    return { role: "assistant", model: "m", content: { type: "text", text: "2" } };
  });
  client.setRequestHandler("roots/list", () => ({ roots: [{ uri: "file:///work", name: "work" }] }));
}

const textOf = ({ content }: { readonly content: unknown }): unknown =>
  JSON.parse((content as [{ readonly text: string }])[0].text);

describe.each(PAIRS)(
  "server requests: $client client over $downstream, $server server over $upstream",
  ({ downstream, client: era, upstream, server }) => {
    test("elicitation, sampling and roots reach the client, and its answers the server", async () => {
      await using sandbox = await createSandbox();
      const servers = { asks: await asking.entry(upstream, server) };
      await using gateway = await gatewayIn(sandbox, { servers });
      const asked: unknown[] = [];
      await using connected = await connectToGateway(gateway, downstream, era, {
        capabilities: CAPABILITIES,
        prepare: (client) => answering(client, asked),
      });
      const { client } = connected;
      const call = (name: string) => client.callTool({ name: `asks_${name}`, arguments: {} });

      expect(textOf(await call("form"))).toMatchObject({ name: "Ada" });
      expect(asked.pop()).toMatchObject({ message: "asks: Who are you?" });
      expect(textOf(await call("page"))).toMatchObject({ action: "accept" });
      expect(asked.pop()).toMatchObject({ mode: "url", url: "https://example.com/sign-in" });
      expect(textOf(await call("model"))).toMatchObject({ model: "m" });
      expect(asked.pop()).toMatchObject({ maxTokens: 10, tools: [{ name: "add" }] });
      expect(textOf(await call("roots"))).toEqual({ roots: [{ uri: "file:///work", name: "work" }] });
    });

    test("a capability that the client lacks is neither announced nor asked for", async () => {
      await using sandbox = await createSandbox();
      const servers = { asks: await asking.entry(upstream, server) };
      await using gateway = await gatewayIn(sandbox, { servers });
      await using connected = await connectToGateway(gateway, downstream, era);
      const { client } = connected;
      const announced = textOf(await client.callTool({ name: "asks_announced", arguments: {} }));
      // The gateway itself follows tasks, whatever the client can do.
      const tasks = { extensions: { "io.modelcontextprotocol/tasks": {} } };
      expect(announced).toEqual(server === "modern" ? tasks : {});
      const outcome = await client.callTool({ name: "asks_form", arguments: {} }).catch(() => "refused");
      expect(["refused", { isError: true }]).toContainEqual(
        outcome === "refused" ? outcome : { isError: (outcome as { isError: boolean }).isError },
      );
    });
  },
);
