/** The responses of a correct server in both eras. The faults are deviations from them. */
const LEGACY = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
const MODERN = "2026-07-28";
const META = "io.modelcontextprotocol/";

/** Returns the response to a message, or nothing for a notification. Tools: `echo`, `pid` and those of the script. */
export function wellBehaved(script, { id, method, params = {} }) {
  if (id === undefined || method === undefined) return undefined;
  const answer = ANSWERS[method]?.(params, script);
  if (answer === undefined || (method === "server/discover" && script.era !== "modern"))
    return { jsonrpc: "2.0", id, error: { code: -32601, message: `Method not found: ${method}` } };
  if (script.era !== "modern") return { jsonrpc: "2.0", id, result: answer };
  const meta = { [`${META}serverInfo`]: { name: "faulty", version: "0.0.1" } };
  return { jsonrpc: "2.0", id, result: { resultType: "complete", ...answer, _meta: meta } };
}

const ANSWERS = {
  "server/discover": (_, { capabilities = { tools: {} } }) => ({
    supportedVersions: [MODERN],
    capabilities,
    ttlMs: 0,
    cacheScope: "private",
  }),
  initialize: ({ protocolVersion }, { capabilities = { tools: {} } }) => ({
    protocolVersion: LEGACY.includes(protocolVersion) ? protocolVersion : LEGACY[0],
    capabilities,
    serverInfo: { name: "faulty", version: "0.0.1" },
  }),
  ping: () => ({}),
  "tools/list": (_, { tools = [], manyTools = 0 }) => ({
    tools: [
      { name: "echo", inputSchema: { type: "object", properties: { text: { type: "string" } } } },
      ...tools,
      { name: "pid", inputSchema: { type: "object" } },
      ...Array.from({ length: manyTools }, (_, index) => oneOfMany(index)),
    ],
    ttlMs: 0,
    cacheScope: "private",
  }),
  "tools/call": ({ name, arguments: args = {} }) => ({
    content: [{ type: "text", text: name === "echo" ? String(args.text) : String(process.pid) }],
  }),
  "resources/list": () => ({ resources: [], ttlMs: 0, cacheScope: "private" }),
  "prompts/list": () => ({ prompts: [], ttlMs: 0, cacheScope: "private" }),
};

function oneOfMany(index) {
  const properties = Object.fromEntries(
    ["path", "query", "limit", "cursor"].map((name) => [
      name,
      { type: "string", description: `The ${name} of ${index}`, pattern: "^[a-z]{1,64}$" },
    ]),
  );
  const schema = { type: "object", properties, required: ["path"] };
  return { name: `tool_${index}`, description: `Does ${index}`, inputSchema: schema, outputSchema: schema };
}

/** Replaces `$ANSWER` with the correct response and `$ID` with the request ID. */
export function fill(text, script, message) {
  return text
    .replaceAll("$ANSWER", () => JSON.stringify(wellBehaved(script, message)))
    .replaceAll("$ID", () => JSON.stringify(message.id));
}

/** Repeats a text many times, in chunks of a reasonable size. */
export function* pieces(text, times = 1) {
  const atOnce = Math.max(1, Math.min(times, Math.floor(65_536 / text.length)));
  const piece = text.repeat(atOnce);
  let left = times;
  for (; left >= atOnce; left -= atOnce) yield piece;
  if (left > 0) yield text.repeat(left);
}
