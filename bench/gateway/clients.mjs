/** The clients that measure gateways: they send only the protocol's bytes, over open connections, so that gateways are measured. */
import { Agent, request as send } from "node:http";

const VERSION = "2025-11-25";
const MODERN = "2026-07-28";
const META = "io.modelcontextprotocol/";

/** Connects to an endpoint. Requests can also be sent to another address of the same gateway, except with `sse`. `era` is `legacy`, `modern`, or `sse` for the transport of 2024-11-05. */
export function connectClient({ url, headers = {}, era = "legacy" }) {
  if (era === "sse") return connectSse(url, headers);
  return era === "modern" ? connectModern(url, headers) : connectLegacy(url, headers);
}

async function connectLegacy(url, headers) {
  const agent = new Agent({ keepAlive: true });
  const own = { ...headers, "mcp-protocol-version": VERSION };
  let lastId = 0;
  const post = (message, to = url) => postMessage(to, agent, own, message);
  const request = async (method, params, to) =>
    resultOf((await post({ jsonrpc: "2.0", id: ++lastId, method, params }, to)).message);
  const { session } = await post({ jsonrpc: "2.0", id: 0, method: "initialize", params: introduction() });
  if (session !== undefined) own["mcp-session-id"] = session;
  await post({ jsonrpc: "2.0", method: "notifications/initialized" });
  return { request, close: () => agent.destroy() };
}

async function connectModern(url, headers) {
  const agent = new Agent({ keepAlive: true });
  const meta = { [`${META}protocolVersion`]: MODERN, [`${META}clientCapabilities`]: {} };
  let lastId = 0;
  const request = async (method, params, to = url) => {
    const name = params.name ?? params.uri;
    const named = name === undefined ? {} : { "mcp-name": name };
    const own = { ...headers, "mcp-protocol-version": MODERN, "mcp-method": method, ...named };
    const message = { jsonrpc: "2.0", id: ++lastId, method, params: { ...params, _meta: meta } };
    return resultOf((await postMessage(to, agent, own, message)).message);
  };
  return { request, close: () => agent.destroy() };
}

/** A stream for the answers, and a POST per request. */
async function connectSse(url, headers) {
  const agent = new Agent({ keepAlive: true });
  const open = new Map();
  let lastId = 0;
  let endpoint;
  const stream = send(url, { headers: { ...headers, accept: "text/event-stream" } });
  await new Promise((resolve, reject) => {
    stream.on("error", reject);
    stream.on("response", (incoming) => {
      incoming.on("end", () => reject(new Error(`HTTP ${incoming.statusCode}`)));
      readEvents(incoming, (event, data) => {
        if (event === "endpoint") {
          endpoint = new URL(data, url).href;
          return resolve();
        }
        const message = JSON.parse(data);
        open.get(message.id)?.(message);
        open.delete(message.id);
      });
    });
    stream.end();
  });
  const request = async (method, params) => {
    const id = ++lastId;
    const answered = new Promise((resolve) => open.set(id, resolve));
    await postMessage(endpoint, agent, headers, { jsonrpc: "2.0", id, method, params });
    return resultOf(await inTime(answered));
  };
  await request("initialize", introduction());
  await postMessage(endpoint, agent, headers, { jsonrpc: "2.0", method: "notifications/initialized" });
  return {
    request,
    close() {
      stream.destroy();
      agent.destroy();
    },
  };
}

/** Rejects if an answer does not arrive, so that a gateway that loses one is reported. */
async function inTime(answered) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error("no answer within 10 s")), 10_000);
  });
  try {
    return await Promise.race([answered, late]);
  } finally {
    clearTimeout(timer);
  }
}

function introduction() {
  return { protocolVersion: VERSION, capabilities: {}, clientInfo: { name: "bench", version: "1.0.0" } };
}

function resultOf(message) {
  if (message?.result === undefined) throw new Error(message?.error?.message ?? "no answer");
  return message.result;
}

function postMessage(url, agent, headers, message) {
  return new Promise((resolve, reject) => {
    const body = JSON.stringify(message);
    const all = {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers,
      "content-length": Buffer.byteLength(body),
    };
    const outgoing = send(url, { method: "POST", agent, headers: all }, (incoming) => {
      const session = incoming.headers["mcp-session-id"];
      const isStream = incoming.headers["content-type"]?.startsWith("text/event-stream");
      let answer;
      if (isStream)
        readEvents(incoming, (_, data) => {
          const parsed = data === "" ? {} : JSON.parse(data);
          if (parsed.id === message.id) answer = parsed;
        });
      let text = "";
      incoming.setEncoding("utf8");
      incoming.on("data", (chunk) => {
        text += chunk;
      });
      incoming.on("error", reject);
      incoming.on("end", () => {
        if (incoming.statusCode >= 400) return reject(new Error(`HTTP ${incoming.statusCode}: ${text}`));
        const parsed = !isStream && text.startsWith("{") ? JSON.parse(text) : undefined;
        resolve({ message: answer ?? parsed, session });
      });
    });
    outgoing.setTimeout(10_000, () => outgoing.destroy(new Error("no answer within 10 s")));
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

/** Calls `onEvent` with the name and the data of every server-sent event. */
function readEvents(incoming, onEvent) {
  let rest = "";
  incoming.setEncoding("utf8");
  incoming.on("data", (chunk) => {
    const events = (rest + chunk).replaceAll("\r\n", "\n").split("\n\n");
    rest = events.pop();
    for (const event of events) {
      const name = /^event: ?(.*)$/m.exec(event)?.[1];
      const data = /^data: ?(.*)$/m.exec(event)?.[1];
      if (data !== undefined) onEvent(name, data);
    }
  });
}
