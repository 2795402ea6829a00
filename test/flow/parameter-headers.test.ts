import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { createSandbox } from "../support/sandbox.ts";
import { hostIn } from "./host-in.ts";

const TOOL = {
  name: "where",
  inputSchema: { type: "object", properties: { region: { type: "string", "x-mcp-header": "Region" } } },
};

/** A modern server that requires an argument to be repeated in a header. */
async function startStrictServer(methods: string[]): Promise<Server> {
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on("end", () => {
      const { id, method, params } = JSON.parse(body || "{}");
      methods.push(method);
      const answer = (status: number, reply: object): void => {
        response.writeHead(status, { "content-type": "application/json" });
        response.end(JSON.stringify({ jsonrpc: "2.0", id, ...reply }));
      };
      if (method === "server/discover")
        answer(200, { result: { supportedVersions: ["2026-07-28"], capabilities: { tools: {} } } });
      else if (method === "tools/list") answer(200, { result: { tools: [TOOL] } });
      else if (request.headers["mcp-param-region"] !== params.arguments.region)
        answer(400, { error: { code: -32020, message: "Header mismatch" } });
      else answer(200, { result: { content: [{ type: "text", text: "there" }] } });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

test("a call on a tool known from the cache learns which arguments go into headers", async () => {
  await using sandbox = await createSandbox();
  const methods: string[] = [];
  const server = await startStrictServer(methods);
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
    const servers = { strict: { type: "http", url } } as const;
    const first = await hostIn(sandbox, { servers });
    await first.tools("strict");
    await first.close();
    methods.length = 0;
    await using host = await hostIn(sandbox, { servers });
    expect((await host.call("strict", "where", { region: "north" })).text).toBe("there");
    expect(methods).toEqual(["server/discover", "tools/call", "tools/list", "tools/call"]);
    methods.length = 0;
    await host.call("strict", "where", { region: "south" });
    expect(methods).toEqual(["tools/call"]);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
