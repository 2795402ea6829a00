/**
 * A hand-written server of 2025-11-25, over stdio or with --http over Streamable HTTP, whose tools run as tasks: `steps` ends after
 * three status requests, `asks` sends a request while its result is read, `endless` never ends, `plain` cannot be a task.
 * CANCEL_FILE in the environment: records the name of a task that the client cancelled.
 */
import { writeFileSync } from "node:fs";
import { serveMessages } from "./serve-messages.mjs";

const RELATED = "io.modelcontextprotocol/related-task";
const TOOLS = { steps: "required", asks: "required", endless: "optional", plain: "forbidden" };
const tasks = new Map();
const waiting = new Map();
const text = (value) => ({ content: [{ type: "text", text: value }] });

serveMessages(receive, { http: process.argv.includes("--http") });

function receive({ id, method, params = {}, result }, send) {
  if (method === undefined) return void waiting.get(id)?.(result);
  if (id === undefined) return;
  const reply = (value) => send({ id, result: value });
  const task = tasks.get(params.taskId);
  if (method.startsWith("tasks/") && method !== "tasks/list" && task === undefined)
    return send({ id, error: { code: -32602, message: "no such task" } });
  switch (method) {
    case "initialize":
      return reply({
        protocolVersion: "2025-11-25",
        capabilities: { tools: {}, tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } },
        serverInfo: { name: "tasks", version: "1" },
      });
    case "ping":
      return reply({});
    case "tools/list":
      return reply({
        tools: Object.entries(TOOLS).map(([name, taskSupport]) => ({
          name,
          inputSchema: { type: "object" },
          execution: { taskSupport },
        })),
      });
    case "tools/call":
      return call(params, reply, (error) => send({ id, error }));
    case "tasks/get":
      task.looks += 1;
      if (task.name === "steps" && task.looks >= 3) task.status = "completed";
      if (task.name === "asks" && task.status === "working") task.status = "input_required";
      return reply(shown(task));
    case "tasks/result":
      return task.name === "asks"
        ? ask(task, reply, send)
        : reply(finished(task, `done after ${task.looks} looks`));
    case "tasks/cancel":
      task.status = "cancelled";
      if (process.env.CANCEL_FILE) writeFileSync(process.env.CANCEL_FILE, task.name);
      return reply(shown(task));
    default:
      return send({ id, error: { code: -32601, message: `Method not found: ${method}` } });
  }
}

function call({ name, task: wanted }, reply, refuse) {
  if (wanted === undefined && TOOLS[name] === "required")
    return refuse({ code: -32601, message: `${name} requires a task` });
  if (wanted === undefined) return reply(text(`${name} without a task`));
  const taskId = `task-${tasks.size + 1}`;
  const at = "2026-01-01T00:00:00Z";
  const task = { taskId, name, looks: 0, status: "working", createdAt: at, lastUpdatedAt: at, ttl: 60_000 };
  tasks.set(taskId, task);
  return reply({ task: shown(task) });
}

/** Sends a request with the task's id, and ends the task with the answer. */
function ask(task, reply, send) {
  const id = `question-${task.taskId}`;
  waiting.set(id, (answer) => {
    task.status = "completed";
    reply(finished(task, JSON.stringify(answer)));
  });
  const params = {
    message: "Go on?",
    requestedSchema: { type: "object", properties: { ok: { type: "boolean" } } },
    _meta: { [RELATED]: { taskId: task.taskId } },
  };
  send({ id, method: "elicitation/create", params });
}

function shown({ name: _name, looks: _looks, ...task }) {
  return { ...task, pollInterval: 1 };
}

function finished({ taskId }, said) {
  return { ...text(said), _meta: { [RELATED]: { taskId } } };
}
