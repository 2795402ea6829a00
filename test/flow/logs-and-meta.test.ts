import { describe, expect, test } from "vitest";
import type { HostEvent } from "../../src/index.ts";
import { createSandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";
import { eventsOf, eventually, hostIn } from "./host-in.ts";

const logs = (events: readonly HostEvent[]): HostEvent[] => events.filter(({ type }) => type === "log");

describe.each(["legacy", "modern"])("a server of the %s era", (era) => {
  const servers = { asking: stdioServer("asking-server.mjs", ["--era", era]) };

  test("has its messages logged and published, safe to print and without secrets", async () => {
    await using sandbox = await createSandbox();
    const lines: unknown[] = [];
    await using host = await hostIn(sandbox, {
      servers: { asking: { ...servers.asking, env: { API_TOKEN: "s3cret-of-mine" } } },
      log: { log: (level, event, fields) => event === "server.log" && lines.push({ level, ...fields }) },
    });
    const events = eventsOf(host);
    await host.call("asking", "log", { level: "warning", text: "\u001b[31mtoken s3cret-of-mine" });
    await eventually(() => expect(logs(events)).toHaveLength(1));
    const [event] = logs(events);
    expect(event).toMatchObject({ type: "log", server: "asking", level: "warn", logger: "asking" });
    expect(JSON.stringify(event)).not.toMatch(/s3cret-of-mine|\\u001b/);
    expect(lines).toMatchObject([{ level: "warn", server: "asking", logger: "asking" }]);
  });

  test("logs at the requested level", async () => {
    await using sandbox = await createSandbox();
    await using host = await hostIn(sandbox, { servers, serverLogLevel: "error" });
    const events = eventsOf(host);
    await host.call("asking", "log", { level: "warning", text: "not worth it" });
    await host.call("asking", "log", { level: "critical", text: "worth it" });
    await eventually(() => expect(logs(events)).toHaveLength(1));
    expect(logs(events)).toMatchObject([{ level: "error", message: "worth it" }]);
  });

  test("receives the `_meta` of a call, with its trace context", async () => {
    await using sandbox = await createSandbox();
    await using host = await hostIn(sandbox, { servers });
    const meta = {
      traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
      tracestate: "vendor=1",
      baggage: "user=ann",
      "example.com/note": { deep: [1] },
    };
    const { text } = await host.call("asking", "meta", {}, { meta });
    expect(JSON.parse(text)).toMatchObject(meta);
  });
});

test("a legacy server gets a log level only if the program sets one", async () => {
  await using sandbox = await createSandbox();
  const servers = { pushing: stdioServer("pushing-server.mjs") };
  await using quiet = await hostIn(sandbox, { servers });
  expect((await quiet.call("pushing", "level")).text).toBe("none");
  await using host = await hostIn(sandbox, { servers, serverLogLevel: "debug" });
  expect((await host.call("pushing", "level")).text).toBe("debug");
});
