import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import type { HostOptions, Middleware } from "../../src/index.ts";
import { createSandbox } from "../support/sandbox.ts";
import { startHttpServer, stdioServer } from "../support/test-servers.ts";
import { hostIn } from "./host-in.ts";

const MANY = Array.from({ length: 20 }, (_, index) => String(index));
const unchanged: Middleware = (_call, next) => next();

/** Runs many calls, reads and lists at once, with one signal and without, and returns the warnings that Node prints in the meantime. */
async function warningsOf(options: HostOptions): Promise<string[]> {
  const warnings: string[] = [];
  const onWarning = ({ name }: Error): void => void warnings.push(name);
  process.on("warning", onWarning);
  try {
    await using sandbox = await createSandbox();
    await using host = await hostIn(sandbox, { discover: false, ...options });
    const own = { description: "Waits", inputSchema: { type: "object" } as const };
    const wait = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
    const session = host.session({ tools: { own: { ...own, execute: wait } } });
    const { signal } = new AbortController();
    const tools = await session.tools({ signal });
    const both = tools.filter(({ tool }) => tool === "own" || tool === "echo");
    expect(both).toHaveLength(2);
    for (const each of [{ signal }, {}, { signal, timeout: 60_000 }]) {
      const texts = MANY.map(async (text) => (await host.call("tools", "echo", { text }, each)).text);
      expect(await Promise.all(texts)).toEqual(MANY);
      await Promise.all(MANY.flatMap((text) => both.map((tool) => tool.execute({ text }, each))));
      await Promise.all(MANY.map(() => session.tools(each)));
      await Promise.all(MANY.map(() => host.resources.list("tools", each)));
    }
    expect(getEventListeners(signal, "abort")).toEqual([]);
  } finally {
    process.off("warning", onWarning);
  }
  return warnings;
}

test.each([
  ["without middleware", {}],
  ["with middleware", { middleware: [unchanged] }],
])("many concurrent calls cause no warning, even with one signal for all of them, %s", async (_, options) => {
  const servers = { tools: stdioServer("tools-server.mjs") };
  expect(await warningsOf({ servers, ...options })).toEqual([]);
});

test("many calls over HTTP cause no warning", async () => {
  await using server = await startHttpServer();
  expect(await warningsOf({ servers: { tools: { url: server.url } } })).toEqual([]);
});
