/**
 * The smallest useful stdio MCP server: one tool, `echo`, no dependency. It answers a whole chunk of requests with one
 * write, so that what is measured is the client and the pipe. It ends when its input ends.
 */
const echo = {
  name: "echo",
  description: "Gives the text back.",
  inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
};

let unfinished = "";
process.stdin.setEncoding("utf8");
process.stdin.on("data", (chunk) => {
  const lines = (unfinished + chunk).split("\n");
  unfinished = lines.pop() ?? "";
  let replies = "";
  for (const line of lines) if (line !== "") replies += replyTo(JSON.parse(line));
  if (replies !== "") process.stdout.write(replies);
});

function replyTo({ id, method, params }) {
  if (id === undefined || method === undefined) return ""; // a notification, or an answer to nothing we asked
  const outcome = outcomeOf(method, params);
  return `${JSON.stringify({ jsonrpc: "2.0", id, ...outcome })}\n`;
}

function outcomeOf(method, params) {
  if (method === "tools/call")
    return { result: { content: [{ type: "text", text: params.arguments.text }] } };
  if (method === "tools/list") return { result: { tools: [echo] } };
  if (method === "ping") return { result: {} };
  if (method === "initialize") {
    const { protocolVersion } = params;
    return {
      result: {
        protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: "tiny", version: "1.0.0" },
      },
    };
  }
  return { error: { code: -32601, message: `Method not found: ${method}` } };
}
