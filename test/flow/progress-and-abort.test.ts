import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Host, type JsonObject, ToolAbortError, type ToolProgress } from "../../src/index.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { startHttpServer, stdioServer } from "../support/test-servers.ts";
import { eventsOf, eventually, eventuallyReads, hostIn } from "./host-in.ts";

test.each(["legacy", "modern"])("progress of a %s server arrives completely and in order", async (era) => {
  await using sandbox = await createSandbox();
  const tools = stdioServer("tools-server.mjs", ["--era", era]);
  await using host = await hostIn(sandbox, { servers: { tools } });
  const seen: ToolProgress[] = [];
  const { text } = await host.call(
    "tools",
    "progress",
    { steps: 3 },
    { onProgress: (step) => seen.push(step) },
  );
  expect(text).toBe("3 steps done");
  expect(seen).toEqual([
    { progress: 1, total: 3, message: "step 1 of 3" },
    { progress: 2, total: 3, message: "step 2 of 3" },
    { progress: 3, total: 3, message: "step 3 of 3" },
  ]);
});

test("progress is published as events, whether the caller requests it or not", async () => {
  await using sandbox = await createSandbox();
  await using host = await hostIn(sandbox, { servers: { tools: stdioServer("tools-server.mjs") } });
  const events = eventsOf(host);
  await host.call("tools", "progress", { steps: 2 });
  expect(events.filter(({ type }) => type === "call.progress")[0]).toEqual({
    type: "call.progress",
    server: "tools",
    tool: "progress",
    progress: { progress: 1, total: 2, message: "step 1 of 2" },
  });
});

test("a progress callback that throws has no effect on the call", async () => {
  await using sandbox = await createSandbox();
  await using host = await hostIn(sandbox, { servers: { tools: stdioServer("tools-server.mjs") } });
  const onProgress = (): void => {
    throw new Error("not today");
  };
  expect(await host.call("tools", "progress", { steps: 2 }, { onProgress })).toMatchObject({
    text: "2 steps done",
  });
});

/** Aborts a call once the server has started on it. */
async function abortSlowCall(host: Host): Promise<void> {
  const abort = new AbortController();
  const call = host.call(
    "tools",
    "slow",
    { ms: 60_000 },
    { signal: abort.signal, onProgress: () => abort.abort() },
  );
  await expect(call).rejects.toThrow(ToolAbortError);
}

describe("an aborted call", () => {
  const cancelFile = (sandbox: Sandbox): string => join(sandbox.home, "cancelled");

  test.each(["legacy", "modern"])("is cancelled at a %s server over stdio", async (era) => {
    await using sandbox = await createSandbox();
    const file = cancelFile(sandbox);
    const tools = stdioServer("tools-server.mjs", ["--era", era], { CANCEL_FILE: file });
    await using host = await hostIn(sandbox, { servers: { tools } });
    await abortSlowCall(host);
    expect(await eventuallyReads(file)).toBe("cancelled");
    expect(await host.call("tools", "echo", { text: "and it goes on" })).toMatchObject({
      text: "and it goes on",
    });
  });

  test.each([
    ["legacy", ["--legacy-only"]],
    ["modern", []],
  ])("is cancelled at a %s server over HTTP", async (_, flags) => {
    await using sandbox = await createSandbox();
    const file = cancelFile(sandbox);
    await using server = await startHttpServer(flags, { CANCEL_FILE: file });
    await using host = await hostIn(sandbox, { servers: { tools: { type: "http", url: server.url } } });
    await abortSlowCall(host);
    expect(await eventuallyReads(file)).toBe("cancelled");
  });

  test("ends immediately while its server is still starting", async () => {
    await using sandbox = await createSandbox();
    const hanging = stdioServer("raw-server.mjs", ["--behave", "hang"]);
    await using host = await hostIn(sandbox, { servers: { hanging } });
    const abort = new AbortController();
    const call = host.call("hanging", "echo", { text: "hi" }, { signal: abort.signal });
    await eventually(() => expect(host.servers()[0]?.state).toBe("connecting"));
    abort.abort();
    await expect(call).rejects.toThrow(ToolAbortError);
  });

  test("that was aborted before it was made starts nothing", async () => {
    await using sandbox = await createSandbox();
    await using host = await hostIn(sandbox, { servers: { tools: stdioServer("tools-server.mjs") } });
    const signal = AbortSignal.abort();
    await expect(host.call("tools", "echo", { text: "hi" }, { signal })).rejects.toThrow(ToolAbortError);
    expect(host.servers()[0]?.state).toBe("idle");
  });

  test("causes the only error that an agent's tool throws", async () => {
    await using sandbox = await createSandbox();
    await using host = await hostIn(sandbox, { servers: { tools: stdioServer("tools-server.mjs") } });
    const slow = (await host.tools("tools")).find(({ tool }) => tool === "slow");
    const abort = new AbortController();
    const call = slow?.execute({ ms: 60_000 }, { signal: abort.signal, onProgress: () => abort.abort() });
    await expect(call).rejects.toThrow(ToolAbortError);
  });
});

describe("an aborted request for a resource or a prompt", () => {
  const abortWhen = async (host: Host, ask: (signal: AbortSignal) => Promise<unknown>): Promise<void> => {
    const abort = new AbortController();
    const asked = ask(abort.signal);
    asked.catch(() => undefined);
    await eventually(() => expect(host.servers()[0]?.state).toBe("connecting"));
    abort.abort();
    await expect(asked).rejects.toThrow(ToolAbortError);
  };

  test.each<[string, (host: Host, signal: AbortSignal) => Promise<unknown>]>([
    ["readResource", (host, signal) => host.resources.read("hanging", "note://a", { signal })],
    ["getPrompt", (host, signal) => host.prompts.get("hanging", "greet", {}, { signal })],
    ["mcp_list_resources", (host, signal) => use(host, "mcp_list_resources", {}, signal)],
    [
      "mcp_read_resource",
      (host, signal) => use(host, "mcp_read_resource", { server: "hanging", uri: "note://a" }, signal),
    ],
    ["mcp_get_prompt", (host, signal) => use(host, "mcp_get_prompt", {}, signal)],
    [
      "mcp_get_prompt with a name",
      (host, signal) => use(host, "mcp_get_prompt", { server: "hanging", name: "greet" }, signal),
    ],
  ])("ends while the server is still starting: %s", async (_, ask) => {
    await using sandbox = await createSandbox();
    const hanging = stdioServer("raw-server.mjs", ["--behave", "hang"]);
    await using host = await hostIn(sandbox, { servers: { hanging } });
    await abortWhen(host, (signal) => ask(host, signal));
  });

  test("is cancelled at the server for a prompt", async () => {
    await using sandbox = await createSandbox();
    const file = join(sandbox.home, "told");
    const slow = {
      ...stdioServer("raw-server.mjs", ["--behave", "slow-prompt"]),
      env: { CANCEL_FILE: file },
    };
    await using host = await hostIn(sandbox, { servers: { slow } });
    await host.prompts.list("slow");
    const abort = new AbortController();
    const asked = host.prompts.get("slow", "greet", {}, { signal: abort.signal });
    asked.catch(() => undefined);
    await eventually(async () => expect(await readFile(file, "utf8")).toBe("asked"));
    abort.abort();
    await expect(asked).rejects.toThrow(ToolAbortError);
    await eventually(async () => expect(await readFile(file, "utf8")).toBe("cancelled"));
  });
});

async function use(host: Host, name: string, args: JsonObject, signal: AbortSignal): Promise<unknown> {
  const tools = host.session({ offers: ["resources", "prompts"] }).snapshot().tools;
  return tools.find((tool) => tool.name === name)?.execute(args, { signal });
}
