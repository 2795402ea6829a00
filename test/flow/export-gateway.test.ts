import { describe, expect, test } from "vitest";
import { createHost } from "../../src/index.ts";
import { connectToGateway, gatewayIn } from "../support/gateway-clients.ts";
import { createSandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";
import { failureOf, hostIn } from "./host-in.ts";

const URL_OF_GATEWAY = "http://127.0.0.1:7420/mcp";
const TOOLS = [
  "claude-code",
  "claude-desktop",
  "codex",
  "cursor",
  "gemini",
  "opencode",
  "vscode",
  "windsurf",
  "zed",
];

describe.each(TOOLS)("the gateway's entry for %s", (tool) => {
  test("starts a gateway, is written once, and is never served by a gateway", async () => {
    await using sandbox = await createSandbox();
    await sandbox.writeHome(".plugboard/mcp.json", {
      mcpServers: { tools: stdioServer("tools-server.mjs") },
    });
    await using host = await hostIn(sandbox, { discover: true });
    const plan = await host.config.planExport({ tool, gateway: {} });
    expect(plan.changes).toMatchObject([{ server: "plugboard", action: "add" }]);
    expect(plan.after).toContain("--stdio");
    await host.config.applyExport(plan);
    expect((await host.config.planExport({ tool, gateway: {} })).changes).toMatchObject([{ action: "same" }]);
    await using found = await createHost({ cwd: sandbox.project, env: sandbox.env() });
    expect(found.servers()).toContainEqual(
      expect.objectContaining({
        name: "plugboard",
        state: "disabled",
        because: "it starts Plugboard, which already has these servers",
      }),
    );
    const tools = (await found.tools({ waitMs: 30_000 })).map(({ server, tool }) => `${server} ${tool}`);
    expect(tools).toContain("tools echo");
    expect(tools.filter((name) => name.startsWith("plugboard "))).toEqual([]);
    await using gateway = await gatewayIn(sandbox, { discover: true });
    await using connected = await connectToGateway(gateway, "http", "modern");
    const names = (await connected.client.listTools()).tools.map(({ name }) => name);
    expect(names).toContain("tools_echo");
    expect(names.filter((name) => name.startsWith("plugboard_"))).toEqual([]);
  });

  test("with a URL contains no token, and is never served by a gateway", async () => {
    await using sandbox = await createSandbox();
    await using host = await hostIn(sandbox, { discover: true });
    const plan = await host.config.planExport({ tool, gateway: { url: URL_OF_GATEWAY } });
    if (plan.skipped.length > 0) {
      expect(plan).toMatchObject({ changes: [], skipped: [{ server: "plugboard" }] });
      return;
    }
    expect(plan.after).toContain(URL_OF_GATEWAY);
    expect(plan.after).toContain("PLUGBOARD_GATEWAY_TOKEN");
    await host.config.applyExport(plan);
    await using gateway = await gatewayIn(sandbox, { discover: true });
    expect(gateway.snapshot().servers.map(({ name }) => name)).toContain("plugboard");
    const { url, token } = await gateway.listen({ port: 0 });
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });
    const response = await fetch(`${url}/s/plugboard`, { method: "POST", headers, body });
    expect(response.status).toBe(404);
  });
});

test.each(["file:///x", "http://me:pw@127.0.0.1/mcp", "plugboard"])(
  "%s is refused as the gateway's URL",
  async (url) => {
    await using sandbox = await createSandbox();
    await using host = await hostIn(sandbox);
    const refused = await failureOf(host.config.planExport({ tool: "cursor", gateway: { url } }));
    expect(refused).toMatchObject({ code: "USAGE_INVALID" });
  },
);
