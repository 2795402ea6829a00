/**
 * A hand-written server of both eras over Streamable HTTP, with --legacy of 2025-11-25 only. Its tool `waits` runs as a task that ends when the
 * file FINISH_FILE exists. Its result has the argument `n`, and how often the tool was called with it. CANCEL_FILE records what was cancelled.
 * COUNT_FILE gets one line per task that was created.
 */
import { appendFileSync, existsSync } from "node:fs";
import { serveMessages } from "./serve-messages.mjs";

const { FINISH_FILE, COUNT_FILE, CANCEL_FILE } = process.env;
const isLegacyOnly = process.argv.includes("--legacy");
const TASKS = "io.modelcontextprotocol/tasks";
const tasks = new Map();
const calls = new Map();

serveMessages(receive, { http: true });

function receive({ id, method, params = {} }, send) {
  if (id === undefined) return;
  const isModern = params["_meta"]?.["io.modelcontextprotocol/protocolVersion"] !== undefined;
  const refuse = (code, message) => send({ id, error: { code, message } });
  if (isModern && isLegacyOnly) return refuse(-32022, "unsupported");
  const reply = (result) => send({ id, result: isModern ? { resultType: "complete", ...result } : result });
  const task = tasks.get(params.taskId);
  if (method.startsWith("tasks/") && task === undefined) return refuse(-32602, "no such task");
  switch (method) {
    case "server/discover":
      return isLegacyOnly
        ? refuse(-32601, "no")
        : reply({
            supportedVersions: ["2026-07-28"],
            capabilities: { tools: {}, extensions: { [TASKS]: {} } },
          });
    case "initialize":
      return reply({
        protocolVersion: "2025-11-25",
        capabilities: { tools: {}, tasks: { cancel: {}, requests: { tools: { call: {} } } } },
        serverInfo: { name: "durable", version: "1" },
      });
    case "ping":
      return reply({});
    case "tools/list":
      return reply({
        tools: [{ name: "waits", inputSchema: { type: "object" }, execution: { taskSupport: "required" } }],
      });
    case "tools/call": {
      const { n } = params.arguments;
      calls.set(n, (calls.get(n) ?? 0) + 1);
      const taskId = `durable-${tasks.size + 1}`;
      tasks.set(taskId, { n });
      const created = {
        taskId,
        status: "working",
        ttl: 600_000,
        ttlMs: 600_000,
        pollInterval: 50,
        pollIntervalMs: 50,
      };
      send({ id, result: isModern ? { resultType: "task", ...created } : { task: created } });
      if (COUNT_FILE) appendFileSync(COUNT_FILE, `${n}\n`);
      return;
    }
    case "tasks/get": {
      const isDone = existsSync(FINISH_FILE);
      const status = isDone ? "completed" : "working";
      const state = { taskId: params.taskId, status, pollInterval: 50, pollIntervalMs: 50, ttl: 600_000 };
      return reply(isDone && isModern ? { ...state, result: resultOf(task) } : state);
    }
    case "tasks/result":
      return existsSync(FINISH_FILE) ? reply(resultOf(task)) : refuse(-32602, "not finished");
    case "tasks/cancel":
      if (CANCEL_FILE) appendFileSync(CANCEL_FILE, `${task.n}\n`);
      return reply({ taskId: params.taskId, status: "cancelled" });
    default:
      return refuse(-32601, `Method not found: ${method}`);
  }
}

function resultOf({ n }) {
  return { content: [{ type: "text", text: `${n} called ${calls.get(n)}` }] };
}
