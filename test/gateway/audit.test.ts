import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createHost } from "../../src/index.ts";
import { connectToGateway, gatewayIn, startUpstream } from "../support/gateway-clients.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";

async function auditFiles(sandbox: Sandbox): Promise<{ readonly folder: string; readonly names: string[] }> {
  const folder = join(sandbox.env()["XDG_STATE_HOME"] ?? "", "plugboard", "audit");
  return { folder, names: await readdir(folder) };
}

async function auditOf(sandbox: Sandbox, filter = {}) {
  await using host = await createHost({ cwd: sandbox.project, env: sandbox.env(), discover: false });
  return host.doctor.audit(filter);
}

describe.each(["stdio", "http"] as const)("audit of clients over %s", (downstream) => {
  test.each([
    ["legacy", "modern"],
    ["modern", "legacy"],
  ] as const)("a %s client's call of a %s server is recorded without its arguments", async (era, server) => {
    await using sandbox = await createSandbox();
    await using upstream = await startUpstream("stdio", server);
    {
      await using gateway = await gatewayIn(sandbox, { servers: { tools: upstream.entry } });
      await using connected = await connectToGateway(gateway, downstream, era);
      await connected.client.callTool({ name: "tools_echo", arguments: { text: "argument-to-hide" } });
      await connected.client.callTool({ name: "tools_none", arguments: {} }).catch(() => {});
    }
    const [call] = await auditOf(sandbox, { item: "echo" });
    expect(call).toMatchObject({
      client: { name: "test", version: "1.0.0" },
      endpoint: "/mcp",
      method: "tools/call",
      server: "tools",
      item: "echo",
      clientEra: era,
      serverEra: server,
      outcome: "ok",
    });
    expect(call?.argumentsHash).toMatch(/^[0-9a-f]{64}$/);
    expect(call?.bytesOut).toBeGreaterThan(0);
    expect(await auditOf(sandbox, { outcome: "refused" })).toMatchObject([
      { method: "tools/call", code: -32602 },
    ]);
    const { folder, names } = await auditFiles(sandbox);
    expect(names).toHaveLength(1);
    for (const name of names) {
      expect(await readFile(join(folder, name), "utf8")).not.toContain("argument-to-hide");
      expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
    }
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
  });
});

test("a secret in an item's name is masked in the audit", async () => {
  await using sandbox = await createSandbox();
  const secret = "s3cret-value-of-the-server";
  const tools = stdioServer("tools-server.mjs", [], { API_KEY: secret });
  {
    await using gateway = await gatewayIn(sandbox, { servers: { tools } });
    await using connected = await connectToGateway(gateway, "stdio", "legacy");
    await connected.client.callTool({ name: "tools_echo", arguments: { text: "x" } });
    await connected.client.readResource({ uri: `tools+note://${secret}` }).catch(() => {});
  }
  const entries = await auditOf(sandbox);
  expect(entries.map(({ method }) => method)).toContain("resources/read");
  expect(JSON.stringify(entries)).not.toContain(secret);
});

test("a damaged line of the audit does not hide the others", async () => {
  await using sandbox = await createSandbox();
  const call = async () => {
    await using gateway = await gatewayIn(sandbox, { servers: { tools: stdioServer("tools-server.mjs") } });
    await using connected = await connectToGateway(gateway, "stdio", "legacy");
    await connected.client.callTool({ name: "tools_echo", arguments: { text: "x" } });
  };
  await call();
  const { folder, names } = await auditFiles(sandbox);
  await writeFile(join(folder, names[0] ?? ""), '{"id":"half', { flag: "a" });
  await call();
  expect(await auditOf(sandbox, { item: "echo" })).toHaveLength(2);
});
