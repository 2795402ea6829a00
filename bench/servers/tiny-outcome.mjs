/** What the tiny servers answer: one tool, `echo`, and no more of the protocol than that needs. */
const echo = {
  name: "echo",
  description: "Gives the text back.",
  inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
};

/** The `result` or the `error` of one request. */
export function outcomeOf(method, params) {
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
