/**
 * A hand-written modern server, over stdio or with --http over Streamable HTTP, whose tools return tasks: `steps` ends after three status requests, `asks`
 * requests input first, `fails` and `gives_up` fail, `forgets` rejects status requests, `endless` never ends.
 * CANCEL_FILE in the environment: records the name of a task that the client cancelled.
 */
import { writeFileSync } from "node:fs";
import { serveMessages } from "./serve-messages.mjs";

const FORM = { type: "object", properties: { ok: { type: "boolean", default: true } } };
const text = (value) => ({ resultType: "complete", content: [{ type: "text", text: value }] });
const working = (statusMessage) => ({ status: "working", statusMessage, pollIntervalMs: 1 });

/** Returns a task's status, by the number of status requests and the input it received. */
const TASKS = {
  steps: ({ looks }) =>
    looks < 3 ? working(`step ${looks}`) : { status: "completed", result: text(`done after ${looks} looks`) },
  asks: ({ told }) => {
    if (told !== undefined) return { status: "completed", result: text(JSON.stringify(told)) };
    const params = { message: "Go on?", requestedSchema: FORM };
    return {
      status: "input_required",
      inputRequests: { go: { method: "elicitation/create", params } },
      pollIntervalMs: 1,
    };
  },
  fails: () => ({ status: "failed", error: { code: -32000, message: "out of paper" } }),
  gives_up: () => ({ status: "cancelled", statusMessage: "too late" }),
  forgets: () => undefined,
  endless: () => working("still at it"),
};
const tasks = new Map();

serveMessages(receive, { http: process.argv.includes("--http") });

function receive({ id, method, params }, send) {
  if (id === undefined) return;
  const { result, error } = answer(method, params);
  send(error === undefined ? { id, result: { resultType: "complete", ...result } } : { id, error });
}

function answer(method, params) {
  const task = tasks.get(params.taskId);
  switch (method) {
    case "server/discover":
      return {
        result: {
          supportedVersions: ["2026-07-28"],
          capabilities: { tools: {}, extensions: { "io.modelcontextprotocol/tasks": {} } },
        },
      };
    case "tools/list":
      return {
        result: { tools: Object.keys(TASKS).map((name) => ({ name, inputSchema: { type: "object" } })) },
      };
    case "tools/call":
      return create(params);
    case "tasks/get": {
      task.looks += 1;
      const state = TASKS[task.name](task);
      if (state === undefined) return { error: { code: -32602, message: "no such task" } };
      return { result: { taskId: params.taskId, ...state } };
    }
    case "tasks/update":
      task.told = params.inputResponses;
      return { result: {} };
    case "tasks/cancel":
      if (process.env.CANCEL_FILE) writeFileSync(process.env.CANCEL_FILE, task.name);
      return { result: {} };
    default:
      return { error: { code: -32601, message: `Method not found: ${method}` } };
  }
}

/** Only for a client that supports tasks. */
function create({ name, _meta: meta }) {
  const { extensions = {} } = meta["io.modelcontextprotocol/clientCapabilities"];
  if (extensions["io.modelcontextprotocol/tasks"] === undefined) return { result: text("no task for you") };
  const taskId = `task-${tasks.size + 1}`;
  tasks.set(taskId, { name, looks: 0 });
  return { result: { resultType: "task", taskId, status: "working", ttlMs: null, pollIntervalMs: 1 } };
}
