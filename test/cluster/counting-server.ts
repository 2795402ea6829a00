import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { JsonObject } from "../../src/model/index.ts";

/** A legacy MCP server over HTTP that counts what it was asked to do. */
export interface CountingServer extends AsyncDisposable {
  readonly url: string;
  /** How often each id was read or done. */
  readonly counts: ReadonlyMap<string, number>;
  /** Ends the calls of `wait` that are under way. */
  finish(): void;
  /** Begins to count anew. */
  forget(): void;
}

const TEXT = { type: "string" };

/** Offers the resource `count:///{id}`, the tools `add` and `wait`, and `ask`, which asks the client a question. */
export async function startCountingServer(): Promise<CountingServer> {
  const counts = new Map<string, number>();
  const waiting = new Set<() => void>();
  const answers = new Map<string, (answer: JsonObject) => void>();
  const count = (id: unknown): number => {
    const now = (counts.get(String(id)) ?? 0) + 1;
    counts.set(String(id), now);
    return now;
  };
  const tool = (name: string): JsonObject => ({
    name,
    inputSchema: { type: "object", properties: { id: TEXT } },
  });
  const answer = async (
    { method, params = {} }: { readonly method: string; readonly params?: JsonObject },
    ask: (id: string) => Promise<JsonObject>,
  ): Promise<JsonObject> => {
    const args = (params["arguments"] ?? {}) as JsonObject;
    const text = (said: string): JsonObject => ({ content: [{ type: "text", text: said }] });
    switch (method) {
      case "initialize":
        return {
          protocolVersion: "2025-11-25",
          capabilities: { tools: {}, resources: {} },
          serverInfo: { name: "counting", version: "1" },
        };
      case "tools/list":
        return { tools: [tool("add"), tool("wait"), tool("ask")] };
      case "resources/list":
        return { resources: [] };
      case "resources/templates/list":
        return { resourceTemplates: [{ uriTemplate: "count:///{id}", name: "count" }] };
      case "prompts/list":
        return { prompts: [] };
      case "resources/read": {
        count(params["uri"]);
        return { contents: [{ uri: params["uri"] ?? "", text: "counted" }] };
      }
      case "tools/call": {
        count(args["id"]);
        if (params["name"] === "wait") await new Promise<void>((resolve) => waiting.add(resolve));
        if (params["name"] === "ask") return text(JSON.stringify(await ask(String(args["id"]))));
        return text(`done ${String(args["id"])}`);
      }
      default:
        return {};
    }
  };
  const server = createServer((request, response) => {
    if (request.method !== "POST") return void response.writeHead(405).end();
    let body = "";
    request.setEncoding("utf8").on("data", (piece: string) => (body += piece));
    request.on("end", () => {
      const message = JSON.parse(body) as { id?: string | number; method?: string; params?: JsonObject };
      if (message.method === undefined) answers.get(String(message.id))?.(message);
      if (message.method === undefined || message.id === undefined) return void response.writeHead(202).end();
      const { id, method, params = {} } = message;
      let isStream = false;
      const ask = (about: string): Promise<JsonObject> => {
        isStream = true;
        response.writeHead(200, { "content-type": "text/event-stream" });
        const asked = {
          jsonrpc: "2.0",
          id: `ask-${about}`,
          method: "elicitation/create",
          params: { message: about, requestedSchema: { type: "object", properties: { word: TEXT } } },
        };
        response.write(`event: message\ndata: ${JSON.stringify(asked)}\n\n`);
        return new Promise((resolve) => answers.set(asked.id, resolve));
      };
      void answer({ method, params }, ask).then((result) => {
        const text = JSON.stringify({ jsonrpc: "2.0", id, result });
        if (isStream) response.end(`event: message\ndata: ${text}\n\n`);
        else response.writeHead(200, { "content-type": "application/json" }).end(text);
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    counts,
    finish() {
      for (const resolve of waiting) resolve();
      waiting.clear();
    },
    forget: () => counts.clear(),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
