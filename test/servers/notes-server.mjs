/**
 * Notes that can be read, listed, subscribed to and written, on the SDK; over stdio, or with --http over Streamable HTTP,
 * where it prints `listening <url>` and ends with its input.
 * Arguments: --era legacy | modern | both (default both), --http.
 * LIST_FILE in the environment: records every list request there, one method per line.
 */
import { appendFileSync } from "node:fs";
import { createServer } from "node:http";
import { parseArgs } from "node:util";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { completable, createMcpHandler, McpServer, ResourceTemplate } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";
import { createLegacyHandler } from "./legacy-handler.mjs";

const { era, http } = parseArgs({
  options: { era: { type: "string", default: "both" }, http: { type: "boolean", default: false } },
}).values;

const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const TOPICS = ["weather", "wedding", "work"];
const notes = new Map([["first", "The first note."]]);
const text = (value) => ({ content: [{ type: "text", text: value }] });

let listening;
const isLegacyHttp = http && era === "legacy";
/** The sessions of legacy clients over HTTP. Each has its own server, which is told about new notes with the function. */
const sessions = new Map();
/** Over HTTP, every request has its own server, and notifications go through the handler. */
let announce = { resourcesChanged: undefined, resourceUpdated: undefined };

function createNotesServer() {
  const server = new McpServer(
    { name: "notes", version: "2.0.0" },
    {
      capabilities: {
        tools: { listChanged: true },
        resources: { listChanged: true, subscribe: true },
        prompts: { listChanged: true },
      },
    },
  );
  const addNote = (topic) =>
    server.registerResource(
      topic,
      `note://${topic}`,
      { description: `A note`, mimeType: "text/plain" },
      () => ({
        contents: [{ uri: `note://${topic}`, mimeType: "text/plain", text: notes.get(topic) }],
      }),
    );
  for (const topic of notes.keys()) addNote(topic);
  server.registerResource("pixel", "note://pixel", { mimeType: "image/png" }, ({ href }) => ({
    contents: [{ uri: href, mimeType: "image/png", blob: PIXEL }],
  }));
  server.registerResource(
    "by-topic",
    new ResourceTemplate("topic://{topic}", {
      list: undefined,
      complete: { topic: (value) => TOPICS.filter((topic) => topic.startsWith(value)) },
    }),
    { description: "Any topic", mimeType: "text/plain" },
    ({ href }, { topic }) => ({ contents: [{ uri: href, text: `All about ${topic}.` }] }),
  );
  server.registerTool(
    "write",
    {
      description: "Writes a note, and says so unless `silent`",
      inputSchema: z.object({ topic: z.string(), text: z.string(), silent: z.boolean().optional() }),
    },
    async ({ topic, text: words, silent = false }) => {
      const isNew = !notes.has(topic);
      notes.set(topic, words);
      if (isNew) addNote(topic);
      if (isLegacyHttp && isNew) for (const addTo of sessions.keys()) if (addTo !== addNote) addTo(topic);
      const uri = `note://${topic}`;
      if (http && !silent) (isNew ? announce.resourcesChanged : announce.resourceUpdated)?.(uri);
      else if (!http && !isNew)
        await server.server.sendResourceUpdated({ uri, _meta: { "example.com/topic": topic } });
      return text(`${topic} is written`);
    },
  );
  server.registerTool("hang_up", { description: "Closes every stream over HTTP, soon" }, () => {
    setTimeout(() => listening?.closeAllConnections(), 100);
    return text("goodbye");
  });
  server.registerTool("leave", { description: "Ends the process" }, () => process.exit(7));
  server.registerPrompt(
    "summarize",
    {
      title: "Summarize",
      description: "Summarizes a topic",
      argsSchema: z.object({
        topic: completable(z.string(), (value) => TOPICS.filter((topic) => topic.startsWith(value))),
        tone: z.string().optional(),
      }),
    },
    ({ topic, tone = "plain" }) => ({
      description: "A summary",
      messages: [
        { role: "user", content: { type: "text", text: `Summarize ${topic} in a ${tone} tone.` } },
        { role: "assistant", content: { type: "text", text: "Gladly." } },
        { role: "user", content: { type: "image", data: PIXEL, mimeType: "image/png" } },
      ],
    }),
  );
  if (isLegacyHttp) sessions.set(addNote, server);
  for (const method of ["resources/subscribe", "resources/unsubscribe"])
    if (era === "legacy") server.server.setRequestHandler(method, () => ({}));
  return server;
}

/** Records a client's request before the server receives it. */
function watchLines() {
  const { LIST_FILE } = process.env;
  if (!LIST_FILE) return;
  process.stdin.on("data", (chunk) => {
    for (const [, method] of String(chunk).matchAll(/"method":"([a-z/]+\/list)"/gu))
      appendFileSync(LIST_FILE, `${method}\n`);
  });
}

if (http) {
  const handler = createMcpHandler(createNotesServer);
  announce = isLegacyHttp
    ? {
        resourcesChanged: () => {}, // each session's server announces the note that it got
        resourceUpdated: (uri) => {
          for (const { server } of sessions.values()) server.sendResourceUpdated({ uri }).catch(() => {}); // it ended
        },
      }
    : {
        resourcesChanged: () => handler.notify.resourcesChanged(),
        resourceUpdated: (uri) => handler.notify.resourceUpdated(uri),
      };
  const serve = isLegacyHttp ? createLegacyHandler(createNotesServer) : toNodeHandler(handler);
  listening = createServer((request, response) => void serve(request, response));
  listening.listen(0, "127.0.0.1", () =>
    console.log(`listening http://127.0.0.1:${listening.address().port}/mcp`),
  );
  process.stdin.resume().on("end", () => process.exit(0));
} else {
  watchLines();
  if (era === "legacy") await createNotesServer().connect(new StdioServerTransport());
  else serveStdio(createNotesServer, era === "modern" ? { legacy: "reject" } : {});
}
