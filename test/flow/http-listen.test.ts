import type { ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { createQuickClock } from "../support/quick-clock.ts";
import { sendJson, serveRaw } from "../support/raw-http.ts";
import { createSandbox } from "../support/sandbox.ts";
import { eventsOf, eventually, hostIn } from "./host-in.ts";

test("a modern server's notification stream is reopened when it is lost, and the tools are read again", async () => {
  await using sandbox = await createSandbox();
  const streams: ServerResponse[] = [];
  let tools = ["one"];
  await using server = await serveRaw({
    answer({ message }, response) {
      const reply = (result: object): true =>
        sendJson(response, {
          jsonrpc: "2.0",
          id: message?.["id"],
          result: { resultType: "complete", ...result },
        });
      switch (message?.["method"]) {
        case "server/discover":
          return reply({ supportedVersions: ["2026-07-28"], capabilities: { tools: { listChanged: true } } });
        case "tools/list":
          return reply({ tools: tools.map((name) => ({ name, inputSchema: { type: "object" } })), ttlMs: 1 });
        case "subscriptions/listen":
          streams.push(response);
          response.writeHead(200, { "content-type": "text/event-stream" }).write(": open\n\n");
          return true;
        default:
          return false;
      }
    },
  });
  const clock = createQuickClock();
  const servers = { web: { type: "http", url: server.url } } as const;
  await using host = await hostIn(sandbox, { servers, ports: { clock } });
  expect(await host.tools("web")).toHaveLength(1);
  await eventually(() => expect(streams).toHaveLength(1));
  const events = eventsOf(host);
  tools = ["one", "two"];
  streams[0]?.destroy();
  await eventually(() => expect(events).toContainEqual({ type: "tools.changed", server: "web" }));
  await eventually(() => expect(streams.length).toBeGreaterThan(1));
  await host.close();
  expect(clock.pending()).toBe(0);
});
