/**
 * The baseline over HTTP: Node's own client with open connections, which sends only the
 * protocol's bytes. No checks, no timeouts; not for production.
 */
import { Agent, request as send } from "node:http";

/** Initialises the server at a URL. */
export async function openHttp({ url }) {
  const agent = new Agent({ keepAlive: true });
  let lastId = 0;

  function post(message) {
    return new Promise((resolve, reject) => {
      const body = JSON.stringify(message);
      const headers = {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": "2025-11-25",
        "content-length": Buffer.byteLength(body),
      };
      const outgoing = send(url, { method: "POST", agent, headers }, (incoming) => {
        let text = "";
        incoming.setEncoding("utf8");
        incoming.on("data", (chunk) => {
          text += chunk;
        });
        incoming.on("end", () => resolve(text));
      });
      outgoing.on("error", reject);
      outgoing.end(body);
    });
  }

  async function request(method, params) {
    const { result, error } = JSON.parse(await post({ jsonrpc: "2.0", id: ++lastId, method, params }));
    if (error !== undefined) throw new Error(error.message);
    return result;
  }

  await request("initialize", {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "hand-written", version: "1.0.0" },
  });
  await post({ jsonrpc: "2.0", method: "notifications/initialized" });
  return {
    listTools: () => request("tools/list", {}),
    callTool: (name, args) => request("tools/call", { name, arguments: args }),
    close: () => agent.destroy(),
  };
}
