/**
 * The tools of `tool-set.mjs` over Streamable HTTP on 127.0.0.1; prints `listening <url>` and ends with its input.
 * Arguments: --require-header name=value (else 401), --status N (the status of every response),
 * --explain JSON (the body of refusals), --legacy-only (sessions and `initialize`, no 2026-07-28), --port N. CANCEL_FILE and START_FILE as in `tools-server.mjs`.
 */
import { createServer } from "node:http";
import { parseArgs } from "node:util";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { createLegacyHandler } from "./legacy-handler.mjs";
import { createToolServer } from "./tool-set.mjs";

const { values: flags } = parseArgs({
  options: {
    "require-header": { type: "string" },
    status: { type: "string" },
    explain: { type: "string" },
    "legacy-only": { type: "boolean", default: false },
    port: { type: "string", default: "0" },
  },
});
const serve = flags["legacy-only"]
  ? createLegacyHandler(createToolServer)
  : toNodeHandler(createMcpHandler(createToolServer));

const server = createServer((request, response) => {
  const refusal = refusalOf(request);
  if (refusal === undefined) void serve(request, response);
  else {
    const headers = {
      ...(refusal === 401 && { "www-authenticate": "Bearer" }),
      ...(flags.explain !== undefined && { "content-type": "application/json" }),
    };
    response.writeHead(refusal, headers).end(flags.explain ?? `status ${refusal}`);
  }
});
server.listen(Number(flags.port), "127.0.0.1", () =>
  console.log(`listening http://127.0.0.1:${server.address().port}/mcp`),
);
process.stdin.resume().on("end", () => process.exit(0));

function refusalOf({ headers, url }) {
  if (flags.status !== undefined) return Number(flags.status);
  const [, name, value] = /^([^=]+)=(.*)$/u.exec(flags["require-header"] ?? "") ?? [];
  if (name !== undefined && headers[name.toLowerCase()] !== value) return 401;
  return url === "/mcp" ? undefined : 404;
}
