/**
 * A hand-written legacy stdio server (2025-11-25) that sends requests: `push` sends one and returns the response, `take_back` sends one and cancels it at once,
 * `roots_changes` returns how often it was notified that the roots changed, `first` refuses until a page was visited,
 * `level` returns the requested log level.
 */
import { createInterface } from "node:readline";

const waiting = new Map();
let nextId = 0;
let rootsChanges = 0;
let visits = 0;
let level = "none";

const FORM = {
  message: "Well?",
  requestedSchema: { type: "object", properties: { ok: { type: "boolean" } } },
};

const TOOLS = {
  async push({ method, params = {} }) {
    return JSON.stringify(await ask(method, params).answered);
  },
  async take_back() {
    const { id } = ask("elicitation/create", FORM);
    send({ method: "notifications/cancelled", params: { requestId: id } });
    return "taken back";
  },
  roots_changes: async () => String(rootsChanges),
  level: async () => level,
  async first() {
    visits += 1;
    if (visits > 1) return "after the visit";
    const url = "https://example.com/first";
    const elicitations = [{ mode: "url", elicitationId: "1", url, message: "Go there first" }];
    throw Object.assign(new Error("Visit a page first"), { code: -32042, data: { elicitations } });
  },
};

createInterface({ input: process.stdin }).on("line", (line) => void receive(JSON.parse(line)));
process.stdin.on("end", () => process.exit(0));

async function receive({ id, method, params = {}, result, error }) {
  if (method === undefined) waiting.get(id)?.(error === undefined ? { result } : { error });
  if (method === "notifications/roots/list_changed") rootsChanges += 1;
  if (id === undefined || method === undefined) return;
  try {
    send({ id, result: await answer(method, params) });
  } catch (failure) {
    const { code = -32603, message, data } = failure;
    send({ id, error: { code, message, ...(data && { data }) } });
  }
}

async function answer(method, params) {
  switch (method) {
    case "initialize":
      return {
        protocolVersion: "2025-11-25",
        capabilities: { tools: {}, logging: {} },
        serverInfo: { name: "pushing", version: "1.0.0" },
      };
    case "logging/setLevel":
      level = params.level;
      return {};
    case "tools/list":
      return { tools: Object.keys(TOOLS).map((name) => ({ name, inputSchema: { type: "object" } })) };
    case "tools/call":
      return { content: [{ type: "text", text: await TOOLS[params.name](params.arguments) }] };
    default:
      throw Object.assign(new Error(`Method not found: ${method}`), { code: -32601 });
  }
}

function ask(method, params) {
  nextId += 1;
  const id = `ask-${nextId}`;
  const answered = new Promise((resolve) => waiting.set(id, resolve));
  send({ id, method, params });
  return { id, answered };
}

function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}
