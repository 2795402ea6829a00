/* oxlint-disable unicorn/no-thenable -- the rules of a policy have a member with this name */
import { expect, test } from "vitest";
import { LegacyClient } from "../cluster/legacy-client.ts";
import { findFreePort } from "../support/find-free-port.ts";
import { runCli } from "../support/run-cli.ts";
import { createSandbox } from "../support/sandbox.ts";
import { startCli } from "../support/start-cli.ts";
import { stdioServer } from "../support/test-servers.ts";

/** With so small a limit, an idle gateway already uses more than a tenth of it. */
const SMALL = { NODE_OPTIONS: "--max-old-space-size=48 --max-semi-space-size=1" };

test("a gateway with little memory refuses new people and new sessions, and serves the sessions that it has", async () => {
  await using sandbox = await createSandbox();
  const port = await findFreePort();
  const origin = `http://127.0.0.1:${port}`;
  const write = (memoryPercent: number): Promise<string> =>
    sandbox.writeProject("gateway.jsonc", {
      publicUrl: origin,
      listen: `127.0.0.1:${port}`,
      access: {},
      servers: { tools: { ...stdioServer("tools-server.mjs") } },
      policy: { rules: [{ who: ["*"], then: "allow" }] },
      limits: { memoryPercent, requestsPerSecond: 1_000, burst: 1_000 },
    });
  const config = ["--config", await write(100)];
  const token = async (person: string): Promise<string> => {
    const args = ["token", "create", "--person", person, "--name", "test", "--expires", "1d", ...config];
    return (await runCli(args, { sandbox })).stdout.trim();
  };
  const [ada, grace] = [await token("ada"), await token("grace")];
  await using gateway = startCli(["serve", ...config], { sandbox, env: SMALL });
  await expect.poll(() => gateway.output(), { timeout: 20_000 }).toContain("Press Ctrl-C to stop.");
  const client = (text: string): LegacyClient => new LegacyClient(`${origin}/mcp`, text);
  const known = await client(ada).initialize();
  const initialize = async (text: string): Promise<readonly [number, string | null]> => {
    const { status, headers } = await client(text).post("initialize", {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "raw", version: "1" },
    });
    return [status, headers.get("retry-after")];
  };

  await write(10);
  await expect.poll(() => initialize(ada), { timeout: 20_000 }).toEqual([503, expect.any(String)]);
  expect(await initialize(grace)).toEqual([503, expect.any(String)]);
  const call = { name: "tools_echo", arguments: { text: "still here" } };
  const { status, body } = await known.post("tools/call", call);
  expect([status, JSON.stringify(body)]).toEqual([200, expect.stringContaining("still here")]);

  await write(100);
  await expect.poll(() => initialize(ada), { timeout: 20_000 }).toEqual([200, null]);
  expect(await initialize(grace)).toEqual([200, null]);
}, 60_000);
