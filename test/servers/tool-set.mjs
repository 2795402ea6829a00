/**
 * The tools, the resource and the prompt that `tools-server.mjs` and `http-server.mjs` both serve.
 * Not a program: `createToolServer()` returns a server for any transport.
 */
import { writeFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";

const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";

const text = (value) => ({ content: [{ type: "text", text: value }] });

export function createToolServer() {
  const server = new McpServer(
    { name: "test-tools", version: "1.2.3" },
    { instructions: "Call echo to hear yourself." },
  );
  registerCalculations(server);
  registerOutcomes(server);
  registerMedia(server);
  registerSurroundings(server);
  server.registerResource(
    "welcome",
    "note://welcome",
    { description: "A short note", mimeType: "text/plain" },
    ({ href }) => ({ contents: [{ uri: href, mimeType: "text/plain", text: "Welcome." }] }),
  );
  server.registerPrompt(
    "greet",
    {
      description: "Greets somebody",
      argsSchema: z.object({ name: z.string().describe("Who is greeted") }),
    },
    ({ name }) => ({
      messages: [{ role: "user", content: { type: "text", text: `Say hello to ${name}.` } }],
    }),
  );
  return server;
}

function registerCalculations(server) {
  server.registerTool(
    "echo",
    {
      title: "Echo",
      description: "Answers the text it is given",
      inputSchema: z.strictObject({ text: z.string().describe("What to answer") }),
      annotations: { readOnlyHint: true },
    },
    (args) => text(args.text),
  );
  server.registerTool(
    "add",
    {
      description: "Adds two numbers",
      inputSchema: z.strictObject({ a: z.number(), b: z.number() }),
      outputSchema: z.object({ sum: z.number() }),
    },
    ({ a, b }) => ({ ...text(String(a + b)), structuredContent: { sum: a + b } }),
  );
  server.registerTool(
    "typed",
    {
      description: "Answers its arguments as JSON, exactly as they arrived",
      inputSchema: z
        .looseObject({
          count: z.int(),
          ratio: z.number(),
          flag: z.boolean(),
          tags: z.array(z.string()),
          nested: z.looseObject({ level: z.int(), name: z.string() }).partial(),
          mode: z.enum(["fast", "slow"]),
        })
        .partial(),
    },
    (args) => text(JSON.stringify(args)),
  );
}

function registerOutcomes(server) {
  server.registerTool("fail", { description: "Always answers an error" }, () => ({
    ...text("it went wrong"),
    isError: true,
  }));
  server.registerTool(
    "slow",
    {
      description:
        "Answers after some time; writes `cancelled` to the file named in CANCEL_FILE when cancelled",
      inputSchema: z.object({ ms: z.number() }),
    },
    async ({ ms }, { mcpReq }) => {
      await report(mcpReq, { progress: 0, message: "started" });
      noteStart();
      try {
        await delay(ms, undefined, { signal: mcpReq.signal });
      } catch (error) {
        noteCancellation();
        throw error;
      }
      return text(`waited ${ms} ms`);
    },
  );
  server.registerTool(
    "progress",
    { description: "Reports every step, then answers", inputSchema: z.object({ steps: z.int() }) },
    async ({ steps }, { mcpReq }) => {
      for (let step = 1; step <= steps; step += 1) {
        await report(mcpReq, { progress: step, total: steps, message: `step ${step} of ${steps}` });
      }
      return text(`${steps} steps done`);
    },
  );
}

async function report(mcpReq, progress) {
  const { _meta: { progressToken } = {} } = mcpReq;
  if (progressToken === undefined) return;
  await mcpReq.notify({ method: "notifications/progress", params: { progressToken, ...progress } });
}

function noteStart() {
  const { START_FILE } = process.env;
  if (START_FILE) writeFileSync(START_FILE, "started");
}

/** A call that ends because the client disconnected does not count as cancelled. */
function noteCancellation() {
  const { CANCEL_FILE } = process.env;
  if (CANCEL_FILE && !process.stdin.readableEnded) writeFileSync(CANCEL_FILE, "cancelled");
}

function registerMedia(server) {
  server.registerTool("image", { description: "Answers a picture of one pixel" }, () => ({
    content: [{ type: "image", data: PNG, mimeType: "image/png" }],
  }));
  server.registerTool("audio", { description: "Answers a sound without samples" }, () => ({
    content: [{ type: "audio", data: WAV, mimeType: "audio/wav" }],
  }));
  server.registerTool(
    "resource_content",
    { description: "Answers two embedded resources and a link" },
    () => ({
      content: [
        {
          type: "resource",
          resource: { uri: "note://embedded", mimeType: "text/plain", text: "embedded text" },
        },
        { type: "resource", resource: { uri: "note://pixel", mimeType: "image/png", blob: PNG } },
        { type: "resource_link", uri: "note://welcome", name: "welcome", mimeType: "text/plain" },
      ],
    }),
  );
}

function registerSurroundings(server) {
  server.registerTool(
    "env",
    { description: "Answers an environment variable", inputSchema: z.object({ name: z.string() }) },
    ({ name }) => text(process.env[name] ?? "(unset)"),
  );
  server.registerTool("cwd", { description: "Answers the working folder" }, () => text(process.cwd()));
}
