/**
 * A stdio server built with the SDK whose tool `run` does what its arguments say, in both eras: reports progress, logs, asks the client,
 * and returns a result. Argument: --era legacy | modern (default legacy).
 */
import { parseArgs } from "node:util";
import { completable, inputRequired, McpServer, ResourceTemplate } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

const { era } = parseArgs({ options: { era: { type: "string", default: "legacy" } } }).values;

const FORM = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
const QUESTIONS = {
  form: (text) => inputRequired.elicit({ message: text, requestedSchema: FORM }),
  page: (text) => inputRequired.elicitUrl({ message: text, url: "https://example.com/page" }),
  model: (text) =>
    inputRequired.createMessage({
      messages: [{ role: "user", content: { type: "text", text } }],
      maxTokens: 10,
      systemPrompt: "Be brief.",
    }),
};

function createScriptedServer() {
  const server = new McpServer({ name: "scripted", version: "1.0.0" }, { capabilities: { logging: {} } });
  if (era === "legacy") server.server.setRequestHandler("logging/setLevel", () => ({}));
  server.registerTool(
    "run",
    {
      description: "Does what its arguments say",
      inputSchema: z.looseObject({
        before: z.array(z.any()),
        asks: z.array(z.any()),
        after: z.array(z.any()),
      }),
    },
    async ({ before, asks, after, result, fails }, ctx) => {
      const given = ctx.mcpReq.inputResponses ?? {};
      const isAnswered = asks.every((_, index) => given[`q${index}`] !== undefined);
      if (!isAnswered || asks.length === 0) for (const step of before) await act(step, ctx);
      if (!isAnswered) {
        const asked = asks.map(({ kind, text }, index) => [`q${index}`, QUESTIONS[kind](text)]);
        return inputRequired({ inputRequests: Object.fromEntries(asked) });
      }
      for (const step of after) await act(step, ctx);
      if (fails) throw new Error(fails);
      const { _meta: meta = {} } = ctx.mcpReq;
      const { traceparent, custom } = meta;
      const said = { type: "text", text: JSON.stringify(sorted({ traceparent, custom, given })) };
      const { content = [], _meta: answered = {} } = result ?? {};
      return { content: [said, ...content], _meta: answered };
    },
  );
  server.registerPrompt(
    "tell",
    { argsSchema: z.object({ topic: completable(z.string(), (text) => [`${text}1`, `${text}2`]) }) },
    ({ topic }) => ({
      messages: [
        { role: "user", content: { type: "resource", resource: { uri: "memo:a", text: topic } } },
        { role: "assistant", content: { type: "text", text: topic } },
      ],
    }),
  );
  server.registerResource(
    "memo",
    new ResourceTemplate("memo:{name}", { list: undefined }),
    {},
    ({ href }) => {
      if (href.endsWith("missing")) throw new Error("no such memo");
      return { contents: [{ uri: href, text: `about ${href}`, _meta: { kind: "memo" } }] };
    },
  );
  return server;
}

/** Libraries order the members of answers in different ways. */
function sorted(value) {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.map((key) => [key, sorted(value[key])]));
}

async function act({ progress, total, message, level, data }, ctx) {
  const { _meta: meta = {} } = ctx.mcpReq;
  const { progressToken } = meta;
  if (progress !== undefined && progressToken !== undefined) {
    const params = { progressToken, progress, total, message };
    await ctx.mcpReq.notify({ method: "notifications/progress", params });
  }
  if (level !== undefined) await ctx.mcpReq.log(level, data, "script");
}

if (era === "modern") serveStdio(createScriptedServer, { legacy: "reject" });
else await createScriptedServer().connect(new StdioServerTransport());
