import { describe, expect, test } from "vitest";
import { type Host, HostError, type HostOptions, ToolAbortError } from "../../src/index.ts";
import { createManualClock } from "../../src/testing/index.ts";
import { createSandbox } from "../support/sandbox.ts";
import { startHttpServer, stdioServer } from "../support/test-servers.ts";
import { eventually, failureOf, hostIn } from "./host-in.ts";

const TOOLS = { servers: { tools: stdioServer("tools-server.mjs") } };
const HANGING = { servers: { hanging: stdioServer("raw-server.mjs", ["--behave", "hang"]) } };
const rejection = (promise: Promise<unknown> | undefined): Promise<unknown> =>
  Promise.resolve(promise).then(
    (value) => expect.fail(`it succeeded with ${JSON.stringify(value)}`),
    (error: unknown) => error,
  );

/** A signal that fires as `AbortSignal.timeout` does, when the test decides. */
function timeoutSignal(): { readonly signal: AbortSignal; fire(): void } {
  const abort = new AbortController();
  return {
    signal: abort.signal,
    fire: () => abort.abort(new DOMException("The operation was aborted due to timeout", "TimeoutError")),
  };
}

async function withHost<T>(options: HostOptions, use: (host: Host) => Promise<T>): Promise<T> {
  await using sandbox = await createSandbox();
  await using host = await hostIn(sandbox, options);
  return await use(host);
}

describe("a call whose signal fires", () => {
  test("rejects with ToolAbortError, whose cause is the caller's reason", async () => {
    const reason = new Error("the user pressed stop");
    const abort = new AbortController();
    const options = { signal: abort.signal, onProgress: () => abort.abort(reason) };
    const error = await withHost(TOOLS, (host) =>
      rejection(host.call("tools", "slow", { ms: 60_000 }, options)),
    );
    expect(error).toBeInstanceOf(ToolAbortError);
    expect((error as Error).cause).toBe(reason);
  });

  test("keeps the reason while its server is starting", async () => {
    const reason = { why: "a new question" };
    const error = await withHost(HANGING, async (host) => {
      const abort = new AbortController();
      const call = rejection(host.call("hanging", "echo", { text: "hi" }, { signal: abort.signal }));
      await eventually(() => expect(host.servers()[0]?.state).toBe("connecting"));
      abort.abort(reason);
      return call;
    });
    expect(error).toMatchObject({ name: "ToolAbortError", cause: reason });
  });

  test.each([
    ["stdio", []],
    ["legacy HTTP", ["--legacy-only"]],
    ["modern HTTP", ["--http"]],
  ])("because of AbortSignal.timeout fails with CALL_TIMEOUT over %s", async (transport, flags) => {
    await using server =
      transport === "stdio" ? undefined : await startHttpServer(flags.filter((flag) => flag !== "--http"));
    const servers =
      server === undefined ? TOOLS.servers : { tools: { type: "http", url: server.url } as const };
    const { signal, fire } = timeoutSignal();
    const failure = await withHost({ servers }, (host) =>
      failureOf(host.call("tools", "slow", { ms: 60_000 }, { signal, onProgress: fire })),
    );
    expect(failure).toEqual({
      code: "CALL_TIMEOUT",
      message: 'The call to "tools" timed out.',
      hint: "The caller set this time limit.",
      server: "tools",
    });
  });

  test("by a real AbortSignal.timeout fails with CALL_TIMEOUT while its server is starting", async () => {
    const failure = await withHost(HANGING, (host) =>
      failureOf(host.call("hanging", "echo", { text: "hi" }, { signal: AbortSignal.timeout(50) })),
    );
    expect(failure.code).toBe("CALL_TIMEOUT");
  });

  test("makes an agent's tool throw ToolAbortError, which says that it was a timeout", async () => {
    const { signal, fire } = timeoutSignal();
    const error = await withHost(TOOLS, async (host) => {
      const slow = (await host.tools("tools")).find(({ tool }) => tool === "slow");
      return rejection(slow?.execute({ ms: 60_000 }, { signal, onProgress: fire }));
    });
    expect(error).toMatchObject({ name: "ToolAbortError", cause: { code: "CALL_TIMEOUT" } });
  });
});

describe("a call with a timeout", () => {
  test("ends after that time, even if the server reports progress and allows more", async () => {
    const clock = createManualClock(Date.now());
    const failure = await withHost({ ...TOOLS, ports: { clock } }, (host) => {
      const onProgress = (): void => clock.advance(1_500);
      return failureOf(host.call("tools", "slow", { ms: 60_000 }, { timeout: 1_500, onProgress }));
    });
    expect(failure).toEqual({
      code: "CALL_TIMEOUT",
      message: 'The call to "tools" was not finished within 1500 ms.',
      hint: "The caller set this time limit.",
      server: "tools",
    });
  });

  test("may take longer than the server's own timeout", async () => {
    const clock = createManualClock(Date.now());
    const servers = { tools: { ...stdioServer("tools-server.mjs"), timeout: 1_000, startupTimeout: 30_000 } };
    const result = await withHost({ servers, ports: { clock } }, async (host) => {
      await host.connect("tools");
      const call = host.call("tools", "echo", { text: "hi" }, { timeout: 5_000 });
      clock.advance(4_000);
      return call;
    });
    expect(result.text).toBe("hi");
  });

  test("ends while its server is starting, and the start continues", async () => {
    const clock = createManualClock(Date.now());
    const [failure, state] = await withHost({ ...HANGING, ports: { clock } }, async (host) => {
      const call = failureOf(host.call("hanging", "echo", { text: "hi" }, { timeout: 1_000 }));
      await eventually(() => expect(host.servers()[0]?.state).toBe("connecting"));
      clock.advance(1_000);
      return [await call, host.servers()[0]?.state] as const;
    });
    expect([failure.code, state]).toEqual(["CALL_TIMEOUT", "connecting"]);
  });

  test("by an agent resolves with an error result", async () => {
    const clock = createManualClock(Date.now());
    const result = await withHost({ ...TOOLS, ports: { clock } }, async (host) => {
      const slow = (await host.tools("tools")).find(({ tool }) => tool === "slow");
      return slow?.execute({ ms: 60_000 }, { timeout: 100, onProgress: () => clock.advance(100) });
    });
    expect(result).toMatchObject({
      text: 'MCP error: The call to "tools" was not finished within 100 ms.',
      isError: true,
    });
  });

  test.each([Number.NaN, -1, "5"])("is refused if it is %s", async (timeout) => {
    const failure = await withHost(TOOLS, (host) =>
      failureOf(host.call("tools", "echo", { text: "hi" }, { timeout: timeout as number })),
    );
    expect(failure.code).toBe("USAGE_INVALID");
  });
});

describe("a signal that has fired", () => {
  const reason = new HostError("CANCELLED", "not any more");
  const gone = { signal: AbortSignal.abort(reason) };
  const METHODS: Readonly<Record<string, (host: Host) => Promise<unknown>>> = {
    tools: (host) => host.tools(gone),
    "tools of one server": (host) => host.tools("tools", gone),
    search: (host) => host.search("echo", gone),
    forgetUsage: (host) => host.forgetUsage(gone),
    call: (host) => host.call("tools", "echo", { text: "hi" }, gone),
    connect: (host) => host.connect("tools", gone),
    connectAll: (host) => host.connectAll(gone),
    reload: (host) => host.reload(gone),
    "session.tools": (host) => host.session().tools(gone),
    "session.instructions": (host) => host.session().instructions(gone),
    "resources.list": (host) => host.resources.list("tools", gone),
    "resources.templates": (host) => host.resources.templates("tools", gone),
    "resources.read": (host) => host.resources.read("tools", "a:b", gone),
    "resources.subscribe": (host) => host.resources.subscribe("tools", "a:b", () => {}, gone),
    "resources.complete": (host) => host.resources.complete("tools", "a:{b}", { name: "b", value: "" }, gone),
    "prompts.list": (host) => host.prompts.list("tools", gone),
    "prompts.get": (host) => host.prompts.get("tools", "p", {}, gone),
    "prompts.complete": (host) => host.prompts.complete("tools", "p", { name: "a", value: "" }, gone),
    "approvals.approve": (host) => host.approvals.approve("tools", "", gone),
    "approvals.revoke": (host) => host.approvals.revoke("tools", gone),
    "approvals.inspect": (host) => host.approvals.inspect("tools", gone),
    "pins.review": (host) => host.pins.review("tools", gone),
    "pins.accept": (host) => host.pins.accept("tools", "", gone),
    "signIns.list": (host) => host.signIns.list(gone),
    "signIns.login": (host) => host.signIns.login("tools", gone),
    "signIns.logout": (host) => host.signIns.logout("tools", gone),
    "signIns.use": (host) => host.signIns.use("tools", "work", gone),
    "secrets.list": (host) => host.secrets.list(gone),
    "secrets.read": (host) => host.secrets.read("a", gone),
    "secrets.store": (host) => host.secrets.store("a", "b", gone),
    "secrets.remove": (host) => host.secrets.remove("a", gone),
    "config.remove": (host) => host.config.remove("tools", undefined, gone),
    "config.setEnabled": (host) => host.config.setEnabled("tools", false, gone),
    "config.move": (host) => host.config.move("tools", "user", gone),
    "config.importFrom": (host) => host.config.importFrom({ tool: "cursor", scope: "user" }, gone),
    "config.explain": (host) => host.config.explain("tools", gone),
    "doctor.checkValues": (host) => host.doctor.checkValues("tools", gone),
    "doctor.checkPrograms": (host) => host.doctor.checkPrograms("tools", gone),
    "doctor.checkPackages": (host) => host.doctor.checkPackages("tools", gone),
    "doctor.repairPackages": (host) => host.doctor.repairPackages("tools", gone),
    "doctor.checkTools": (host) => host.doctor.checkTools("tools", gone),
    "doctor.checkVault": (host) => host.doctor.checkVault(gone),
    "doctor.logs": (host) => host.doctor.logs("tools", gone),
    "doctor.test": (host) => host.doctor.test("tools", gone),
    "doctor.preview": (host) => host.doctor.preview("tools", "echo", {}, gone),
    "doctor.budget": (host) => host.doctor.budget(gone),
  };

  test.each(Object.keys(METHODS))("cancels %s before it begins", async (name) => {
    const [error, state] = await withHost(TOOLS, async (host) => [
      await rejection(METHODS[name]?.(host)),
      host.servers()[0]?.state,
    ]);
    expect([error, state]).toMatchObject([{ name: "ToolAbortError", cause: reason }, "idle"]);
  });
});

describe("a signal that fires while a server is starting", () => {
  test.each<[string, (host: Host, signal: AbortSignal) => Promise<unknown>]>([
    ["tools", (host, signal) => host.tools("hanging", { signal })],
    ["all tools", (host, signal) => host.tools({ signal })],
    ["session.tools", (host, signal) => host.session().tools({ signal })],
    ["search", (host, signal) => host.search("echo", { signal })],
    ["connect", (host, signal) => host.connect("hanging", { signal })],
    ["connectAll", (host, signal) => host.connectAll({ signal })],
    ["resources.list", (host, signal) => host.resources.list("hanging", { signal })],
    [
      "resources.subscribe",
      (host, signal) => host.resources.subscribe("hanging", "a:b", () => {}, { signal }),
    ],
    [
      "prompts.complete",
      (host, signal) => host.prompts.complete("hanging", "p", { name: "a", value: "" }, { signal }),
    ],
    ["pins.review", (host, signal) => host.pins.review("hanging", { signal })],
    ["doctor.test", (host, signal) => host.doctor.test("hanging", { signal })],
    ["doctor.budget", (host, signal) => host.doctor.budget({ signal })],
  ])("ends %s immediately", async (_, use) => {
    const error = await withHost(
      { ...HANGING, ports: { clock: createManualClock(Date.now()) } },
      async (host) => {
        const { signal, fire } = timeoutSignal();
        const used = rejection(use(host, signal));
        await eventually(() => expect(host.servers()[0]?.state).toBe("connecting"));
        fire();
        return used;
      },
    );
    expect(error).toMatchObject({ code: "CALL_TIMEOUT" });
  });
});
