import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { McpClientManager, type McpServerConfig } from "../../src/compat/index.ts";
import type { JsonObject } from "../../src/index.ts";
import { createManualClock } from "../../src/testing/index.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";
import { eventually, eventuallyReads, failureOf, isRunning } from "./host-in.ts";

interface Pids {
  readonly pid: number;
  readonly grandchild: number;
}

/** A server that ignores SIGTERM and starts a child; the file gets the ids of both. */
function stubborn(sandbox: Sandbox, name: string): { config: McpServerConfig; pids: () => Promise<Pids> } {
  const file = join(sandbox.home, `${name}.json`);
  const { command, args, env } = stdioServer("raw-server.mjs", ["--behave", "ignore-sigterm,grandchild"], {
    PID_FILE: file,
  });
  return {
    config: { trust: "trusted", transport: { type: "stdio", command, args, env } },
    pids: async () => JSON.parse(await eventuallyReads(file)) as Pids,
  };
}

/** A server whose only tool returns how often the tools were listed. It declares no time to live. */
const COUNTING = `
  let lists = 0;
  const info = { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "n", version: "1" } };
  require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, method } = JSON.parse(line);
    if (id === undefined) return;
    const inputSchema = () => ({ type: "object", title: "list " + (lists += 1) });
    const results = { initialize: () => info, "tools/list": () => ({ tools: [{ name: "list", inputSchema: inputSchema() }] }) };
    const answer = results[method];
    const rest = answer ? { result: answer() } : { error: { code: -32601, message: "unknown method" } };
    console.log(JSON.stringify({ jsonrpc: "2.0", id, ...rest }));
  });
`;

const running = ({ pid, grandchild }: Pids) => Promise.all([isRunning(pid), isRunning(grandchild)]);
const hostOptions = (sandbox: Sandbox) => ({ cwd: sandbox.project, env: sandbox.env(), home: sandbox.home });

describe("McpClientManager", () => {
  test("close ends one server with everything it started, and leaves the others running", async () => {
    await using sandbox = await createSandbox();
    const [one, two] = [stubborn(sandbox, "one"), stubborn(sandbox, "two")];
    const manager = new McpClientManager({
      servers: { one: one.config, two: two.config },
      host: hostOptions(sandbox),
    });
    await Promise.all([manager.getClient("one"), manager.getClient("two")]);
    const [first, second] = [await one.pids(), await two.pids()];
    expect([await running(first), await running(second)]).toEqual([
      [true, true],
      [true, true],
    ]);

    await manager.close("one");

    await eventually(async () => expect(await running(first)).toEqual([false, false]));
    expect(await running(second)).toEqual([true, true]);
    const again = await manager.getClient("one"); // the next use starts it again
    expect((await again.listTools()).tools.map(({ name }: JsonObject) => name)).toContain("echo");
    await manager.closeAll();
  });

  test("closeAll ends every server, including one that is still starting, and nothing can be used afterwards", async () => {
    await using sandbox = await createSandbox();
    const [one, two] = [stubborn(sandbox, "one"), stubborn(sandbox, "two")];
    const manager = new McpClientManager({
      servers: { one: one.config, two: two.config },
      host: hostOptions(sandbox),
    });
    await manager.getClient("one");
    const starting = failureOf(manager.getClient("two"));
    const first = await one.pids();

    await manager.closeAll();

    await eventually(async () => expect(await running(first)).toEqual([false, false]));
    expect((await starting).code).toBe("HOST_CLOSED");
    expect((await failureOf(manager.getTools("one"))).code).toBe("HOST_CLOSED");
    await manager.closeAll(); // a second time changes nothing
  });

  test("closeAll before the first use starts nothing", async () => {
    await using sandbox = await createSandbox();
    const { config } = stubborn(sandbox, "one");
    const manager = new McpClientManager({ servers: { one: config }, host: hostOptions(sandbox) });
    await manager.closeAll();
    expect((await failureOf(manager.getClient("one"))).code).toBe("HOST_CLOSED");
  });

  test("reads the tools again after toolsTtlMs, and not before", async () => {
    await using sandbox = await createSandbox();
    const clock = createManualClock();
    const manager = new McpClientManager({
      servers: {
        repo: {
          trust: "trusted",
          transport: { type: "stdio", command: process.execPath, args: ["-e", COUNTING] },
        },
      },
      toolsTtlMs: 5_000,
      host: { ...hostOptions(sandbox), ports: { clock } },
    });
    const lists = async () => (await manager.getTools("repo"))["list"]?.inputSchema["title"];
    expect(await lists()).toBe("list 1");
    clock.advance(4_999);
    expect(await lists()).toBe("list 1");
    clock.advance(1);
    expect(await lists()).toBe("list 2");
    clock.advance(4_999);
    expect(await lists()).toBe("list 2"); // it was asked once, not twice
    await manager.closeAll();
  });

  test("does not use another process's disk cache unless `diskCache` is true", async () => {
    await using sandbox = await createSandbox();
    const file = join(sandbox.home, "starts");
    const counting = `require("fs").appendFileSync(${JSON.stringify(file)}, "start;");${COUNTING}`;
    const managerWith = (diskCache?: boolean) =>
      new McpClientManager({
        servers: {
          repo: {
            trust: "trusted",
            transport: { type: "stdio", command: process.execPath, args: ["-e", counting] },
          },
        },
        ...(diskCache !== undefined && { diskCache }),
        host: hostOptions(sandbox),
      });
    const starts = async () => (await readFile(file, "utf8")).split(";").length - 1;
    const use = async (diskCache?: boolean) => {
      const manager = managerWith(diskCache);
      await manager.getTools("repo");
      await manager.closeAll();
      return starts();
    };
    expect([await use(true), await use(), await use(true), await use(false)]).toEqual([1, 2, 2, 3]);
  });
});
