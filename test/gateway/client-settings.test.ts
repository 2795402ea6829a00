import { describe, expect, test } from "vitest";
import { gatewayIn } from "../support/gateway-clients.ts";
import { openRawClient } from "../support/raw-gateway-client.ts";
import { createSandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";

const CELLS = (["stdio", "http"] as const).flatMap((downstream) =>
  (["legacy", "modern"] as const).map((era) => ({ downstream, era })),
);

describe.each(CELLS)("$era client over $downstream", ({ downstream, era }) => {
  test("3 a capability that the settings remove is not announced to servers", async () => {
    await using sandbox = await createSandbox();
    const gatewaySettings = {
      allowHosts: [],
      allowOrigins: [],
      clients: { raw: { without: ["elicitation"] } },
    };
    await using gateway = await gatewayIn(sandbox, {
      servers: { asks: stdioServer("asking-server.mjs", ["--era", "legacy"]) },
      settings: { gateway: gatewaySettings },
    });
    const capabilities = { elicitation: { form: {} }, sampling: {} };
    const meta = { "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" } };
    await using client = await openRawClient(gateway, downstream, era, {
      capabilities,
      ...(era === "modern" && { meta }),
    });
    const { result } = await client.request("tools/call", { name: "asks_announced", arguments: {} });
    expect(result).toMatchObject({ content: [{ text: '{"sampling":{}}' }] });
  });
});

describe.each(["stdio", "http"] as const)("legacy versions over %s", (downstream) => {
  test.each([
    ["2024-11-05", {}],
    ["2025-03-26", {}],
    ["2025-06-18", { elicitation: { form: {} } }],
    ["2025-11-25", { elicitation: { form: {}, url: {} } }],
  ])("3 what %s does not have is not announced to servers", async (version, announced) => {
    await using sandbox = await createSandbox();
    const servers = { asks: stdioServer("asking-server.mjs", ["--era", "legacy"]) };
    await using gateway = await gatewayIn(sandbox, { servers });
    const capabilities = { elicitation: { form: {}, url: {} } };
    await using client = await openRawClient(gateway, downstream, "legacy", { capabilities, version });
    expect(client.greeting.result).toMatchObject({ protocolVersion: version });
    const { result } = await client.request("tools/call", { name: "asks_announced", arguments: {} });
    const [{ text }] = (result as unknown as { content: [{ text: string }] }).content;
    expect(JSON.parse(text)).toEqual(announced);
  });

  test("3 an unknown version is answered with 2025-11-25", async () => {
    await using sandbox = await createSandbox();
    await using gateway = await gatewayIn(sandbox, {});
    await using client = await openRawClient(gateway, downstream, "legacy", { version: "2030-01-01" });
    expect(client.greeting.result).toMatchObject({ protocolVersion: "2025-11-25" });
  });

  test("2.3 capabilities of more than 4 KB are refused, because sessions store them", async () => {
    await using sandbox = await createSandbox();
    await using gateway = await gatewayIn(sandbox, {});
    await using client = await openRawClient(gateway, downstream, "legacy", {
      capabilities: { experimental: { text: "x".repeat(4_096) } },
    });
    expect(client.greeting.error).toMatchObject({ code: -32602 });
  });
});
