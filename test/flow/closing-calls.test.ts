import { describe, expect, test } from "vitest";
import type { FunctionTool, Host, HostOptions, Middleware } from "../../src/index.ts";
import { createDeferred } from "../support/deferred.ts";
import { createSandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";
import { failureOf, hostIn } from "./host-in.ts";

async function withHost(options: HostOptions, use: (host: Host) => Promise<void>): Promise<void> {
  await using sandbox = await createSandbox();
  const servers = { tools: stdioServer("tools-server.mjs") };
  await using host = await hostIn(sandbox, { discover: false, servers, ...options });
  await use(host);
}

describe("when the host is closed", () => {
  test("the signal of a call fires, even if the caller passed one", async () => {
    const started = createDeferred<AbortSignal>();
    const stuck: Middleware = ({ signal }) => {
      started.resolve(signal);
      return new Promise(() => {});
    };
    await withHost({ middleware: [stuck] }, async (host) => {
      const caller = new AbortController();
      const waiting = failureOf(host.call("tools", "echo", { text: "hi" }, { signal: caller.signal }));
      const signal = await started.promise;
      expect(signal.aborted).toBe(false);
      await host.close();
      expect(signal.aborted).toBe(true);
      expect(caller.signal.aborted).toBe(false);
      expect((await waiting).code).toBe("HOST_CLOSED");
    });
  });

  test("a running call ends with the same error as without middleware", async () => {
    const passing: Middleware = (_call, next) => next();
    const failures: unknown[] = [];
    for (const middleware of [[], [passing], [passing, passing]])
      await withHost({ middleware }, async (host) => {
        const started = createDeferred();
        const call = failureOf(
          host.call("tools", "slow", { ms: 60_000 }, { onProgress: () => started.resolve() }),
        );
        await started.promise;
        await host.close();
        failures.push(await call);
      });
    expect(failures).toEqual([failures[0], failures[0], failures[0]]);
    expect(failures[0]).toMatchObject({ code: "TOOL_CALL_FAILED" });
  });

  test("a middleware that continues after its call ends with HOST_CLOSED", async () => {
    const called = createDeferred();
    const lingering: Middleware = async (_call, next) => {
      await next();
      called.resolve();
      return new Promise(() => {});
    };
    await withHost({ middleware: [lingering] }, async (host) => {
      const waiting = failureOf(host.call("tools", "echo", { text: "hi" }));
      await called.promise;
      await host.close();
      expect((await waiting).code).toBe("HOST_CLOSED");
    });
  });
});

const toTool = (execute: FunctionTool["execute"]): FunctionTool => ({
  description: "Counts",
  inputSchema: { type: "object" },
  execute,
});

test("the signal of a function fires when the host is closed, even if the caller passed one", async () => {
  await using sandbox = await createSandbox();
  const host = await hostIn(sandbox, {});
  const started = createDeferred<AbortSignal>();
  const execute: FunctionTool["execute"] = (_args, { signal }) => {
    started.resolve(signal);
    return new Promise(() => {});
  };
  const [tool] = await host.session({ tools: { wait: toTool(execute) } }).tools();
  const { signal } = new AbortController();
  const ended = tool?.execute({}, { signal }).catch((error: unknown) => error);
  const own = await started.promise;
  await host.close();
  expect(own.aborted).toBe(true);
  await ended;
});
