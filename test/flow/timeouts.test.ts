import { describe, expect, test } from "vitest";
import { isHostError } from "../../src/index.ts";
import { serveHttp } from "../../src/testing/index.ts";
import { createJumpingClock } from "../support/jumping-clock.ts";
import { serveRaw } from "../support/raw-http.ts";
import { createSandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";
import { eventually, failureOf, hostErrorOf, hostIn } from "./host-in.ts";

test("a server that never answers fails to connect, and the hint suggests a solution", async () => {
  await using sandbox = await createSandbox();
  const hanging = { ...stdioServer("raw-server.mjs", ["--behave", "hang"]), startupTimeout: 300 };
  await using host = await hostIn(sandbox, { servers: { hanging } });
  expect(await failureOf(host.connect("hanging"))).toEqual({
    code: "CONNECT_TIMEOUT",
    message: 'Failed to connect to "hanging": it did not answer within 300 ms',
    hint: 'Try increasing the timeout. The limit is 300 ms: "startupTimeout" in createHost({ servers }).',
    server: "hanging",
  });
});

test("an entry's timeout limits connecting, and the hint names its key, file and line", async () => {
  await using sandbox = await createSandbox();
  const hanging = { timeout: 300, ...stdioServer("raw-server.mjs", ["--behave", "hang"]) };
  const file = await sandbox.writeHome(".plugboard/mcp.json", { mcpServers: { hanging } });
  await using host = await hostIn(sandbox);
  expect(await failureOf(host.connect("hanging"))).toEqual({
    code: "CONNECT_TIMEOUT",
    message: 'Failed to connect to "hanging": it did not answer within 300 ms',
    hint: `Try increasing the timeout. The limit is 300 ms: "timeout" in ${file}:4:7.`,
    server: "hanging",
  });
});

test("a timeout that limits only calls leaves 30 seconds for connecting", async () => {
  await using sandbox = await createSandbox();
  const { clock, jump } = createJumpingClock();
  const hanging = { timeout: 1_000, ...stdioServer("raw-server.mjs", ["--behave", "hang"]) };
  await sandbox.writeProject(".mcp.json", { mcpServers: { hanging } });
  await using host = await hostIn(sandbox, { ports: { clock }, trustProject: true });
  const failure = failureOf(host.connect("hanging"));
  const state = (): string | undefined => host.servers()[0]?.state;
  expect(host.servers()[0]?.source.tool).toBe("claude-code");
  await eventually(() => expect(state()).toBe("connecting"));
  jump(29_000);
  await new Promise((resolve) => setImmediate(resolve)); // due timers have fired
  expect(state()).toBe("connecting");
  jump(1_000);
  expect(await failure).toMatchObject({
    code: "CONNECT_TIMEOUT",
    hint: "Try increasing the timeout. The limit is 30000 ms: the default; set the variable MCP_TIMEOUT to change it.",
  });
});

describe("one time limit covers all of connecting:", () => {
  test("both HTTP transports together", async () => {
    await using sandbox = await createSandbox();
    const { clock, jump } = createJumpingClock();
    const asked: string[] = [];
    let refuse = (): void => {};
    await using server = await serveRaw({
      answer({ verb }, response) {
        asked.push(verb);
        // Rejects Streamable HTTP after a delay, and its SSE stream never sends anything.
        const say404 = (): void => void response.writeHead(404).end();
        if (asked.length === 1) refuse = say404;
        else if (verb === "POST") say404();
        return true;
      },
    });
    const servers = { web: { type: "http", url: server.url, timeout: 60_000 } } as const;
    await using host = await hostIn(sandbox, { servers, ports: { clock } });
    const failure = failureOf(host.connect("web"));
    await eventually(() => expect(asked).toEqual(["POST"]));
    jump(40_000);
    refuse();
    await eventually(() => expect(asked.at(-1)).toBe("GET"));
    jump(20_000);
    expect(await failure).toMatchObject({
      code: "CONNECT_TIMEOUT",
      message: 'Failed to connect to "web": it did not answer within 60000 ms',
    });
  });

  test("the era probe and the handshake together", async () => {
    await using sandbox = await createSandbox();
    const { clock, jump } = createJumpingClock();
    const methods: unknown[] = [];
    await using server = await serveRaw({
      answer({ message }) {
        methods.push(message?.["method"]);
        return true;
      },
    });
    const servers = { web: { type: "http", url: server.url, timeout: 60_000 } } as const;
    await using host = await hostIn(sandbox, { servers, ports: { clock } });
    const failure = failureOf(host.connect("web"));
    await eventually(() => expect(methods).toEqual(["server/discover"]));
    jump(60_000);
    expect(await failure).toMatchObject({ code: "CONNECT_TIMEOUT" });
  });

  test("the values that must be resolved first", async () => {
    await using sandbox = await createSandbox();
    const x = { ...stdioServer("raw-server.mjs"), env: { TOKEN: "!exec sleep 60" }, timeout: 300 };
    await using host = await hostIn(sandbox, { servers: { x } });
    expect(await failureOf(host.connect("x"))).toMatchObject({
      code: "CONNECT_TIMEOUT",
      message: 'Failed to connect to "x": its values and sign-in were not ready within 300 ms',
      hint: 'Try increasing the timeout. The limit is 300 ms: "timeout" in createHost({ servers }).',
    });
    expect(host.servers()[0]?.state).toBe("failed");
  });
});

test("a URL that accepts the connection and never answers fails the same way", async () => {
  await using sandbox = await createSandbox();
  const { createServer } = await import("node:net");
  const silent = createServer(() => {}).listen(0, "127.0.0.1");
  await new Promise((resolve) => silent.once("listening", resolve));
  const address = silent.address();
  const port = typeof address === "object" ? address?.port : 0;
  const servers = {
    silent: { type: "http", url: `http://127.0.0.1:${port}/`, startupTimeout: 300 },
  } as const;
  try {
    await using host = await hostIn(sandbox, { servers });
    expect(await failureOf(host.connect("silent"))).toMatchObject({
      code: "CONNECT_TIMEOUT",
      message: 'Failed to connect to "silent": it did not answer within 300 ms',
    });
  } finally {
    silent.close();
  }
});

test("a call that times out fails with the timeout as its cause", async () => {
  await using sandbox = await createSandbox();
  const tools = { ...stdioServer("tools-server.mjs"), timeout: 1_000, startupTimeout: 30_000 };
  await using host = await hostIn(sandbox, { servers: { tools } });
  await host.tools("tools");
  const error = await hostErrorOf(host.call("tools", "slow", { ms: 60_000 }));
  expect({ code: error.code, message: error.message, hint: error.hint }).toEqual({
    code: "TOOL_CALL_FAILED",
    message: 'Tool execution failed: "tools" did not answer within 1000 ms',
    hint: 'Try increasing the timeout. The limit is 1000 ms: "timeout" in createHost({ servers }).',
  });
  expect(isHostError(error.cause, "REQUEST_TIMEOUT")).toBe(true);
  expect(await host.call("tools", "echo", { text: "the next call works" })).toMatchObject({
    text: "the next call works",
  });
});

test("progress restarts the timeout of a call", async () => {
  await using sandbox = await createSandbox();
  const steps = 8;
  await using server = await serveHttp({
    name: "steady",
    version: "1",
    tools: {
      work: {
        async run(_, { progress }) {
          for (let step = 1; step <= steps; step += 1) {
            progress({ progress: step });
            await new Promise((resolve) => setTimeout(resolve, 250));
          }
          return "done";
        },
      },
    },
  });
  const servers = {
    steady: { type: "http", url: server.url, timeout: 1_500, startupTimeout: 30_000 },
  } as const;
  await using host = await hostIn(sandbox, { servers });
  const seen: number[] = [];
  const onProgress = ({ progress }: { progress: number }): void => void seen.push(progress);
  expect(await host.call("steady", "work", {}, { onProgress })).toMatchObject({ text: "done" });
  expect(seen).toHaveLength(steps);
});

/** A tool that runs until it is stopped, and reports progress on request. */
async function serveEndless(): Promise<Awaited<ReturnType<typeof serveHttp>> & { tick(): void }> {
  let tick = (): void => {};
  const run = (_: unknown, { progress }: { progress(step: { progress: number }): void }): Promise<string> => {
    let step = 0;
    tick = () => progress({ progress: (step += 1) });
    tick();
    return new Promise(() => {});
  };
  const server = await serveHttp({ name: "endless", version: "1", tools: { work: { run } } });
  return Object.assign(server, { tick: () => tick() });
}

/**
 * Calls the endless tool and lets this much time pass before each progress report. Returns how the call ended, if it
 * did.
 */
async function outlast(waits: readonly number[], timeout?: number): Promise<string> {
  await using sandbox = await createSandbox();
  await using server = await serveEndless();
  const { clock, jump } = createJumpingClock();
  const endless = { type: "http", url: server.url, ...(timeout && { timeout }) } as const;
  await using host = await hostIn(sandbox, { servers: { endless }, ports: { clock } });
  let steps = 0;
  let outcome = "goes on";
  const onProgress = (): void => void (steps += 1);
  void hostErrorOf(host.call("endless", "work", {}, { onProgress })).then(({ message, hint }) => {
    if (steps <= waits.length) outcome = `${message} ${hint}`; // closing the host is not a timeout
  });
  for (const [index, ms] of waits.entries()) {
    await eventually(() => expect(steps).toBe(index + 1));
    jump(ms);
    await new Promise((resolve) => setTimeout(resolve, 20)); // due timers fire first
    server.tick();
  }
  await eventually(() => expect(outcome !== "goes on" || steps > waits.length).toBe(true));
  return outcome;
}

const LATE = 'Tool execution failed: "endless" did not answer within';

test("a call has a timeout of 30 seconds by default", async () => {
  expect(await outlast([29_000])).toBe("goes on");
  expect(await outlast([30_000])).toBe(
    `${LATE} 30000 ms Try increasing the timeout. The limit is 30000 ms: ` +
      'the default; set "timeout" in createHost({ servers }) to change it.',
  );
});

test("a call has the timeout of its server's entry, even a long one", async () => {
  expect(await outlast([1_190_000], 1_200_000)).toBe("goes on");
  expect(await outlast([1_200_000], 1_200_000)).toContain("within 1200000 ms");
});

test("progress extends a call's time limit, up to ten minutes", async () => {
  expect(await outlast([290_000, 290_000], 300_000)).toBe("goes on");
  expect(await outlast([290_000, 290_000, 20_000], 300_000)).toBe(
    'Tool execution failed: "endless" did not finish within 600000 ms, although it kept reporting progress ' +
      'Try increasing the timeout beyond that. It is "timeout" in createHost({ servers }).',
  );
});

describe("a server that answers but never lists its tools", () => {
  const hanging = stdioServer("raw-server.mjs", ["--behave", "hang-list"]);

  test("fails with that reason when all servers are connected", async () => {
    await using sandbox = await createSandbox();
    const { clock, jump } = createJumpingClock();
    await using host = await hostIn(sandbox, { servers: { hanging }, ports: { clock } });
    const all = host.connectAll({ timeoutMs: 20_000 });
    await eventually(() => expect(host.servers()[0]?.state).toBe("connected"));
    jump(20_000);
    await all;
    expect(host.servers()[0]).toMatchObject({
      state: "failed",
      errorCode: "CONNECT_TIMEOUT",
      because: 'Failed to connect to "hanging": it connected but did not list what it offers within 20000 ms',
    });
  });

  test("stays connected if it is already in use", async () => {
    await using sandbox = await createSandbox();
    await using host = await hostIn(sandbox, { servers: { hanging } });
    await host.connect("hanging");
    await host.connectAll({ timeoutMs: 200 });
    expect(host.servers()[0]?.state).toBe("connected");
  });
});

test("each server has its own time limit when all are connected", async () => {
  await using sandbox = await createSandbox();
  const { clock, jump } = createJumpingClock();
  const hanging = stdioServer("raw-server.mjs", ["--behave", "hang"]);
  const servers = { short: { ...hanging, timeout: 20_000 }, long: { ...hanging, startupTimeout: 60_000 } };
  await using host = await hostIn(sandbox, { servers, ports: { clock } });
  const all = host.connectAll();
  const states = (): string[] => host.servers().map(({ state }) => state);
  await eventually(() => expect(states()).toEqual(["connecting", "connecting"]));
  jump(20_000);
  await eventually(() => expect(states()).toEqual(["failed", "connecting"]));
  jump(39_000);
  await new Promise((resolve) => setImmediate(resolve)); // due timers have fired
  expect(states()).toEqual(["failed", "connecting"]);
  jump(1_000);
  await all;
  expect(host.servers().map(({ because }) => because)).toEqual([
    'Failed to connect to "short": it did not answer within 20000 ms',
    'Failed to connect to "long": it did not answer within 60000 ms',
  ]);
});

test("one slow server does not delay the others when all are connected", async () => {
  await using sandbox = await createSandbox();
  const servers = {
    hanging: stdioServer("raw-server.mjs", ["--behave", "hang"]),
    good: stdioServer("raw-server.mjs"),
  };
  await using host = await hostIn(sandbox, { servers });
  await host.connectAll({ timeoutMs: 4_000 });
  expect(host.servers().map(({ name, state, because }) => ({ name, state, because }))).toEqual([
    {
      name: "hanging",
      state: "failed",
      because: 'Failed to connect to "hanging": it did not answer within 4000 ms',
    },
    { name: "good", state: "connected", because: undefined },
  ]);
});
