/**
 * A stdio server built with the SDK, whose tools send a request to the client before they answer, in both eras.
 * Arguments: --era legacy | modern | both (default both).
 */
import { parseArgs } from "node:util";
import { acceptedContent, inputRequired, McpServer } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

const { era } = parseArgs({ options: { era: { type: "string", default: "both" } } }).values;
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
      await ctx.mcpReq.log(level, said, "asking");
      return text("logged");
    },
  );
  return server;
}

const serve = {
  both: () => serveStdio(createAskingServer),
  modern: () => serveStdio(createAskingServer, { legacy: "reject" }),
  legacy: () => createAskingServer().connect(new StdioServerTransport()),
}[era];
if (serve === undefined) throw new Error(`unknown era ${era}`);
await serve();
