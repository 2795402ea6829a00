import { expect, test } from "vitest";
import type { Client } from "../client-request.ts";
import type { Endpoint } from "../endpoint.ts";
import type { UpstreamScope } from "../upstream/upstreams.ts";
import { LogLevels } from "./log-levels.ts";

const BASE: Endpoint = { path: "/mcp", names: "prefixed", mode: "direct", servers: ["a", "b"] };

test.each([
  ["/mcp", BASE, true],
  ["/mcp/b/reading, which has tools of another server", { ...BASE, bundles: [bundleOf("a")] }, false],
  ["/mcp/b/reading, which has tools of this server", { ...BASE, bundles: [bundleOf("b")] }, true],
  ["/mcp/s/a", { ...BASE, servers: ["a"], verbatim: "a" }, false],
])("a log message without a call reaches clients that may see its server: %s", (_, endpoint, isSeen) => {
  const seen: unknown[] = [];
  const client: Client = {
    id: "one",
    endpoint,
    isLocal: true,
    logLevel: "debug",
    notify: (method) => void seen.push(method),
  };
  const scope = { clients: new Set([client]) } as unknown as UpstreamScope;
  new LogLevels(undefined).relay(scope, "b", { level: "error", data: "x" }, undefined);
  expect(seen).toEqual(isSeen ? ["notifications/message"] : []);
});

function bundleOf(server: string): NonNullable<Endpoint["bundles"]>[number] {
  return { id: "reading", server, tools: [] } as unknown as NonNullable<Endpoint["bundles"]>[number];
}
