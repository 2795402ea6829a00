import { expect, test } from "vitest";
import type { Host, Middleware, ToolResult } from "../../src/index.ts";
import { createSandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";
import { hostErrorOf, hostIn } from "./host-in.ts";

const servers = { tools: stdioServer("tools-server.mjs") };

const echo = (host: Host, text: string, options = {}): Promise<ToolResult> =>
  host.call("tools", "echo", { text }, options);

test("events report the start and the end of every call", async () => {
  await using sandbox = await createSandbox();
  await using host = await hostIn(sandbox, { discover: false, servers });
  const events: object[] = [];
  host.subscribe((event) => {
    if (event.type === "call.started" || event.type === "call.finished") events.push(event);
  });
  await echo(host, "größer");
  await host.call("tools", "fail");
  await host.call("tools", "image", {}, { principal: "ann" });
  await hostErrorOf(host.call("tools", "none"));
  const caller = AbortSignal.abort();
  await echo(host, "hi", { signal: caller }).catch(() => undefined);
  const durationMs = expect.any(Number) as number;
  const call = (id: number, tool: string) => ({ id, kind: "tool", server: "tools", tool });
  expect(events).toEqual([
    { type: "call.started", ...call(1, "echo") },
    { type: "call.finished", ...call(1, "echo"), outcome: "ok", bytes: 8, durationMs },
    { type: "call.started", ...call(2, "fail") },
    {
      type: "call.finished",
      ...call(2, "fail"),
      outcome: "error",
      bytes: expect.any(Number) as number,
      durationMs,
    },
    { type: "call.started", ...call(3, "image"), principal: "ann" },
    {
      type: "call.finished",
      ...call(3, "image"),
      outcome: "ok",
      bytes: 70,
      durationMs,
      principal: "ann",
    },
    { type: "call.started", ...call(4, "none") },
    {
      type: "call.finished",
      ...call(4, "none"),
      outcome: "failed",
      bytes: 0,
      errorCode: "TOOL_UNKNOWN",
      durationMs,
    },
    { type: "call.started", ...call(5, "echo") },
    { type: "call.finished", ...call(5, "echo"), outcome: "cancelled", bytes: 0, durationMs },
  ]);
});

test("events report what middleware answered", async () => {
  await using sandbox = await createSandbox();
  const louder: Middleware = (_, next) => next({ args: { text: "hi!" } });
  await using host = await hostIn(sandbox, { discover: false, servers, middleware: [louder] });
  const sizes: number[] = [];
  host.subscribe((event) => {
    if (event.type === "call.finished") sizes.push(event.bytes);
  });
  await echo(host, "hi");
  expect(sizes).toEqual([3]);
});
