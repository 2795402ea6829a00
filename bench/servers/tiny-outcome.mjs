/**
 * The responses of the tiny servers: one tool, `echo`, and only the parts of the protocol that it needs. With `--noted` they have a
 * resource too, `note://hello`.
 */
const isNoted = process.argv.includes("--noted");
const note = { uri: "note://hello", name: "hello", mimeType: "text/plain" };
const echo = {
  name: "echo",
  description: "Gives the text back.",
  inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
};

/** Returns the `result` or `error` of one request. */
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
        capabilities: isNoted ? { tools: {}, resources: {} } : { tools: {} },
        serverInfo: { name: "tiny", version: "1.0.0" },
      },
    };
  }
  if (isNoted && method === "resources/list") return { result: { resources: [note] } };
  if (isNoted && method === "resources/templates/list") return { result: { resourceTemplates: [] } };
  if (isNoted && method === "resources/read")
    return { result: { contents: [{ uri: params.uri, mimeType: "text/plain", text: "good morning" }] } };
  return { error: { code: -32601, message: `Method not found: ${method}` } };
}
