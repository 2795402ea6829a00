import { describe, expect, test } from "vitest";
import { connectToGateway, type GatewayClient, gatewayIn } from "../support/gateway-clients.ts";
import { createSandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";

const CELLS = (["stdio", "http"] as const).flatMap((downstream) =>
  (["legacy", "modern"] as const).flatMap((client) =>
    (["legacy", "modern"] as const).map((server) => ({ downstream, client, server })),
  ),
);
const META = ["mcp_search_tools", "mcp_describe_tool", "mcp_call_tool"];

const namesOf = async ({ client }: GatewayClient): Promise<string[]> =>
  (await client.listTools()).tools.map(({ name }) => name);
const textOf = ({ content }: { readonly content: unknown }): string =>
  (content as [{ readonly text: string }])[0].text;

describe.each(CELLS)(
  "--mode meta: $client client over $downstream, $server server",
  ({ downstream, client: era, server }) => {
    test("tools are found, described and called, with progress and questions to the user", async () => {
      await using sandbox = await createSandbox();
      const servers = {
        tools: stdioServer("tools-server.mjs", ["--era", server]),
        asks: stdioServer("asking-server.mjs", ["--era", server]),
      };
      await using gateway = await gatewayIn(sandbox, { servers, offer: { mode: "meta" } });
      await using connected = await connectToGateway(gateway, downstream, era, {
        capabilities: { elicitation: { form: {} } },
        prepare: (client) =>
          client.setRequestHandler("elicitation/create", () => ({
            action: "accept",
            content: { name: "Ada" },
          })),
      });
      const { client } = connected;
      expect(await namesOf(connected)).toEqual(META);
      const use = (name: string, args: object, options?: Parameters<typeof client.callTool>[1]) =>
        client.callTool({ name, arguments: { ...args } }, options);
      expect(textOf(await use("mcp_search_tools", { queries: ["add numbers"] }))).toContain("tools_add");
      expect(JSON.parse(textOf(await use("mcp_describe_tool", { name: "tools_add" })))).toMatchObject({
        name: "tools_add",
        inputSchema: { properties: { a: { type: "number" } } },
      });
      const steps: unknown[] = [];
      await use(
        "mcp_call_tool",
        { name: "tools_progress", arguments: { steps: 2 } },
        { onprogress: (step) => void steps.push(step) },
      );
      expect(steps).toHaveLength(2);
      expect(textOf(await use("mcp_call_tool", { name: "asks_form" }))).toContain("Ada");
      expect(await use("mcp_call_tool", { name: "tools_ad" })).toMatchObject({
        isError: true,
        content: [{ text: expect.stringContaining('Did you mean "tools_add"?') }],
      });
    });
  },
);

test("--mode auto offers all tools up to the limit, and never replaces those of /mcp/s/<server>", async () => {
  await using sandbox = await createSandbox();
  const servers = { tools: stdioServer("tools-server.mjs") };
  const listed = async (offer: object, path = "/mcp", settings = {}): Promise<string[]> => {
    await using gateway = await gatewayIn(sandbox, { servers, settings, offer: { mode: "auto", ...offer } });
    await using connected = await connectToGateway(gateway, "http", "modern", { path });
    return await namesOf(connected);
  };
  const all = await listed({});
  expect(all).toContain("tools_echo");
  expect(await listed({ mostTools: all.length })).toEqual(all);
  expect(await listed({ mostTools: all.length - 1 })).toEqual(META);
  expect(await listed({}, "/mcp", { toolTokens: 10 })).toEqual(META);
  expect(await listed({ mode: "meta" }, "/mcp/s/tools")).toContain("echo");
});

test("read-only endpoints find and call only what they offer in meta mode", async () => {
  await using sandbox = await createSandbox();
  const servers = { tools: { ...stdioServer("tools-server.mjs"), trust: "trusted" as const } };
  await using gateway = await gatewayIn(sandbox, { servers, offer: { mode: "meta", readOnly: true } });
  await using connected = await connectToGateway(gateway, "http", "legacy");
  const { client } = connected;
  const found = await client.callTool({ name: "mcp_search_tools", arguments: { queries: ["echo", "add"] } });
  expect(textOf(found)).toContain("tools_echo");
  expect(textOf(found)).not.toContain("tools_add");
  expect(
    await client.callTool({ name: "mcp_call_tool", arguments: { name: "tools_add", arguments: {} } }),
  ).toMatchObject({ isError: true });
});
