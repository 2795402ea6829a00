import { headerParameters, parameterHeaders } from "../../connection/index.ts";
import { isJsonObject, type JsonObject, memoize } from "../../model/index.ts";
import type { IncomingRequest } from "../../platform/index.ts";
import type { ClientRequest } from "../client-request.ts";
import type { GatewayContext } from "../gateway-context.ts";
import { HEADER_MISMATCH, RpcError } from "../rpc-error.ts";

/** The parameter that `Mcp-Name` repeats, by method. */
const NAMED: Readonly<Record<string, string>> = {
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri",
  "tasks/get": "taskId",
  "tasks/update": "taskId",
  "tasks/cancel": "taskId",
};

/**
 * Throws an `RpcError` if the headers of a modern request differ from its body. Proxies may decide by the headers, so the body must not
 * contradict them.
 */
export function checkHeaders(
  { headers }: Pick<IncomingRequest, "headers">,
  method: string,
  params: JsonObject,
  version: string,
): void {
  assertEqual("MCP-Protocol-Version", headers["mcp-protocol-version"], version);
  assertEqual("Mcp-Method", headers["mcp-method"], method);
  const key = Object.hasOwn(NAMED, method) ? NAMED[method] : undefined;
  const name = key === undefined ? undefined : params[key];
  if (typeof name === "string") assertEqual("Mcp-Name", decodeHeader(headers["mcp-name"]), name);
}

/** Throws an `RpcError` if an argument in a header differs from the argument in the body. Numbers are compared as numbers. */
export async function checkParameterHeaders(
  { headers }: Pick<IncomingRequest, "headers">,
  context: GatewayContext,
  request: ClientRequest,
): Promise<void> {
  const { name, arguments: args } = request.params;
  if (request.method !== "tools/call" || typeof name !== "string") return;
  const found = await context.offers.findTool(request, name);
  const server = found && context.offers.servers(request).find((one) => one.name === found.server);
  const lists = server && (await context.offers.known(request, server));
  const tool = lists?.catalog.tools.find((one) => one.name === found?.name);
  const declared = tool === undefined ? [] : declaredHeaders(tool.inputSchema);
  if (declared.length === 0) return;
  const expected = parameterHeaders(declared, isJsonObject(args) ? args : {});
  for (const { header } of declared) {
    const key = `mcp-param-${header.toLowerCase()}`;
    const [given, wanted] = [decodeHeader(headers[key]), decodeHeader(expected[key])];
    if (isNumber(given) && isNumber(wanted) && Number(given) === Number(wanted)) continue;
    assertEqual(`Mcp-Param-${header}`, given, wanted);
  }
}

/** Cached because reading the marks of a schema takes time, and schemas are immutable. */
const declaredHeaders = memoize((schema: JsonObject) => {
  const marks = headerParameters(schema);
  return "wrong" in marks ? [] : marks.parameters;
});

function isNumber(text: string | undefined): boolean {
  return text !== undefined && /^-?\d+(?:\.\d+)?$/.test(text);
}

function assertEqual(name: string, given: string | undefined, wanted: string | undefined): void {
  if (given === wanted) return;
  const what = given === undefined ? "is missing" : "differs from the body";
  throw new RpcError(HEADER_MISMATCH, `The header ${name} ${what}.`);
}

/** Headers encode other text as `=?base64?…?=`. */
function decodeHeader(value: string | undefined): string | undefined {
  const [, encoded] = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/.exec(value ?? "") ?? [];
  return encoded === undefined ? value : Buffer.from(encoded, "base64").toString("utf8");
}
