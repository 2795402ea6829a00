import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";
import { nodeEnvironment } from "../../src/platform/node/index.ts";
import { runDaemon } from "../../src/run-daemon.ts";
import { eventuallyReads } from "../flow/host-in.ts";
import { startCli } from "../support/run-cli.ts";
import { createSandboxInCi } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";

const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};

test.each([
  ["gets its result", 400, { result: { content: [{ text: "waited 400 ms" }] } }],
  ["is interrupted", 60_000, { error: { code: -32603, data: { reason: "interrupted" } } }],
] as const)(
  "2.14 a call while the daemon ends %s, depending on how long it takes: %i ms",
  async (_, ms, outcome) => {
    await using sandbox = await createSandboxInCi();
    const started = join(sandbox.home, "started");
    const tools = stdioServer("tools-server.mjs", [], { START_FILE: started });
    await sandbox.writeHome(".plugboard/mcp.json", { mcpServers: { tools } });
    const environment = nodeEnvironment({ cwd: sandbox.project, home: sandbox.home, env: sandbox.env() });
    const daemon = await runDaemon({ environment, drainMs: 1_500 });
    await using cli = startCli(["serve", "--stdio"], { sandbox });
    const answered = new Promise<unknown>((resolve) =>
      createInterface({ input: cli.child.stdout }).on("line", (line) => {
        const message = JSON.parse(line) as { readonly id?: number };
        if (message.id === 1) resolve(message);
      }),
    );
    const params = { name: "tools_slow", arguments: { ms }, _meta: META };
    cli.child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params })}\n`);
    await eventuallyReads(started);
    await daemon?.stop();
    expect(await answered).toMatchObject(outcome);
    cli.child.stdin.end();
    await cli.ended;
  },
);
