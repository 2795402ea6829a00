/**
 * A server over stdio, on the SDK, with one tool per scenario of the adapters' table. Tools that wait continue when
 * another tool is called, so that no test needs a clock.
 * Arguments: --many offers 200 tools instead.
 */
import { setTimeout as delay } from "node:timers/promises";
import { acceptedContent, inputRequired, McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const MANY = 200;
const A_LONG_TIME_MS = 60_000;
const readOnly = { annotations: { readOnlyHint: true } };
const named = z.object({ id: z.string() });
const text = (value) => ({ content: [{ type: "text", text: value }] });

serveStdio(process.argv.includes("--many") ? createManyTools : createScenarioTools);

function createManyTools() {
  const server = new McpServer({ name: "many", version: "1.0.0" });
  for (let number = 1; number <= MANY; number += 1)
    server.registerTool(`tool_${number}`, { description: `Tool number ${number}` }, () =>
      text(`tool ${number}`),
    );
  return server;
}

function createScenarioTools() {
  const server = new McpServer({ name: "scenarios", version: "1.0.0" });
  registerResults(server);
  registerMeetings(server);
  server.registerTool(
    "guarded",
    { description: "Requires approval", inputSchema: z.object({ text: z.string() }) },
    (args) => text(`guarded ${args.text}`),
  );
  server.registerTool("form", { description: "Asks for a name" }, ({ mcpReq: { inputResponses } }) => {
    const given = inputResponses?.name;
    const form = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
    const question = () => inputRequired.elicit({ message: "Who are you?", requestedSchema: form });
    if (given === undefined) return inputRequired({ inputRequests: { name: question() } });
    return text(`hello ${acceptedContent({ name: given }, "name")?.name}`);
  });
  server.registerTool(
    "grow",
    { description: "Adds a tool with this name", inputSchema: z.object({ name: z.string() }) },
    ({ name }) => {
      server.registerTool(name, { description: "A new tool" }, () => text(`this is ${name}`));
      return text(`added ${name}`);
    },
  );
  return server;
}

function registerResults(server) {
  server.registerTool(
    "echo",
    { description: "Returns its text", inputSchema: z.object({ text: z.string() }), ...readOnly },
    (args) => text(args.text),
  );
  server.registerTool("fail", { description: "Always fails" }, () => ({
    ...text("it went wrong"),
    isError: true,
  }));
  server.registerTool("image", { description: "Returns an image" }, () => ({
    content: [{ type: "image", data: PNG, mimeType: "image/png" }],
  }));
  server.registerTool("resource", { description: "Returns a resource" }, () => ({
    content: [
      { type: "resource", resource: { uri: "note://a", mimeType: "text/plain", text: "embedded text" } },
    ],
  }));
  server.registerTool(
    "typed",
    {
      description: "Returns its arguments",
      inputSchema: z.strictObject({
        count: z.int().min(1),
        ratio: z.number().optional(),
        mode: z.enum(["fast", "slow"]).optional(),
        point: z.strictObject({ x: z.number(), y: z.number().optional() }).optional(),
      }),
    },
    (args) => text(JSON.stringify(args)),
  );
}

function registerMeetings(server) {
  const started = waitingRoom();
  const cancelled = waitingRoom();
  const met = waitingRoom();
  server.registerTool(
    "slow",
    { description: "Runs until it is cancelled", inputSchema: named },
    async ({ id }, { mcpReq: { signal } }) => {
      signal.addEventListener("abort", () => cancelled.enter(id));
      started.enter(id);
      await delay(A_LONG_TIME_MS, undefined, { signal });
      return text("it was not cancelled");
    },
  );
  const until = (name, room) =>
    server.registerTool(
      name,
      { description: "Waits for the tool slow", inputSchema: named },
      async ({ id }) => {
        await room.reached(id, 1);
        return text(name);
      },
    );
  until("started", started);
  until("cancelled", cancelled);
  server.registerTool(
    "meet",
    { description: "Waits for a second call", inputSchema: named, ...readOnly },
    async ({ id }) => {
      met.enter(id);
      await met.reached(id, 2);
      return text(`met ${id}`);
    },
  );
}

/** Counts arrivals by id. `reached` resolves once there are enough. */
function waitingRoom() {
  const rooms = new Map();
  const roomOf = (id) => {
    if (!rooms.has(id)) rooms.set(id, { arrived: 0, listeners: [] });
    return rooms.get(id);
  };
  return {
    enter(id) {
      const room = roomOf(id);
      room.arrived += 1;
      for (const listener of room.listeners) listener();
    },
    reached(id, count) {
      const room = roomOf(id);
      return new Promise((resolve) => {
        const check = () => room.arrived >= count && resolve();
        room.listeners.push(check);
        check();
      });
    },
  };
}
