/**
 * A server built with the SDK, whose tools send a request to the client before they answer, in both eras; over stdio, or with --http
 * over Streamable HTTP, where it prints `listening <url>` and ends with its input.
 * Arguments: --era legacy | modern | both (default both), --http (legacy or modern).
 */
import { createServer } from "node:http";
import { parseArgs } from "node:util";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { acceptedContent, createMcpHandler, inputRequired, McpServer } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";
import { createLegacyHandler } from "./legacy-handler.mjs";

const { era, http } = parseArgs({
  options: { era: { type: "string", default: "both" }, http: { type: "boolean", default: false } },
}).values;
const LEVELS = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];
const text = (value) => ({ content: [{ type: "text", text: value }] });

const FORM = {
  type: "object",
  properties: {
    name: { type: "string", title: "Your name", minLength: 1 },
    age: { type: "integer", default: 30 },
    colour: { type: "string", enum: ["red", "green"], default: "green" },
    sizes: {
      type: "array",
      items: {
        anyOf: [
          { const: "s", title: "Small" },
          { const: "l", title: "Large" },
        ],
      },
    },
  },
  required: ["name"],
};

/** Each sends one request, then returns the response. */
const QUESTIONS = {
  form: () => inputRequired.elicit({ message: "Who are you?", requestedSchema: FORM }),
  page: () => inputRequired.elicitUrl({ message: "Please sign in", url: "https://example.com/sign-in" }),
  model: () =>
    inputRequired.createMessage({
      messages: [{ role: "user", content: { type: "text", text: "What is 1 + 1?" } }],
      maxTokens: 10,
      tools: [{ name: "add", inputSchema: { type: "object" } }],
    }),
  roots: () => inputRequired.listRoots(),
};

function createAskingServer() {
  const server = new McpServer(
    { name: "says-it-is-somebody-else", version: "1.0.0" },
    { capabilities: { logging: {} } },
  );
  for (const [name, question] of Object.entries(QUESTIONS)) {
    server.registerTool(name, { description: `Asks for the ${name}` }, (ctx) => {
      const given = ctx.mcpReq.inputResponses?.[name];
      if (given === undefined) return inputRequired({ inputRequests: { [name]: question() } });
      return text(
        JSON.stringify(
          given.action === "accept" ? (acceptedContent({ [name]: given }, name) ?? given) : given,
        ),
      );
    });
  }
  server.registerTool("announced", { description: "Answers what the client announced" }, (ctx) =>
    text(
      JSON.stringify(
        ctx.mcpReq.envelope?.["io.modelcontextprotocol/clientCapabilities"] ??
          server.server.getClientCapabilities(),
      ),
    ),
  );
  server.registerTool(
    "meta",
    { description: "Answers the _meta it was called with" },
    ({ mcpReq: { _meta: meta } }) => text(JSON.stringify(meta ?? {})),
  );
  server.registerTool(
    "log",
    { description: "Logs its text", inputSchema: z.object({ level: z.string(), text: z.string() }) },
    async ({ level, text: said }, ctx) => {
      if (isWanted(level)) await ctx.mcpReq.log(level, said, "asking");
      return text("logged");
    },
  );
  const levels = [];
  // The handler below replaces the library's own, which would filter.
  const isWanted = (level) => levels.length === 0 || LEVELS.indexOf(level) >= LEVELS.indexOf(levels.at(-1));
  if (era === "legacy")
    server.server.setRequestHandler("logging/setLevel", ({ params }) => {
      levels.push(params.level);
      return {};
    });
  server.registerTool("levels", { description: "Answers the log levels that were requested" }, (ctx) => {
    const requested = ctx.mcpReq.envelope?.["io.modelcontextprotocol/logLevel"];
    return text(JSON.stringify(requested === undefined ? levels : [requested]));
  });
  return server;
}

function serveHttp() {
  const serve =
    era === "legacy"
      ? createLegacyHandler(createAskingServer)
      : toNodeHandler(createMcpHandler(createAskingServer));
  const listening = createServer((request, response) => void serve(request, response));
  listening.listen(0, "127.0.0.1", () =>
    console.log(`listening http://127.0.0.1:${listening.address().port}/mcp`),
  );
  process.stdin.resume().on("end", () => process.exit(0));
}

const serve = http
  ? async () => serveHttp()
  : {
      both: () => serveStdio(createAskingServer),
      modern: () => serveStdio(createAskingServer, { legacy: "reject" }),
      legacy: () => createAskingServer().connect(new StdioServerTransport()),
    }[era];
if (serve === undefined) throw new Error(`unknown era ${era}`);
await serve();
