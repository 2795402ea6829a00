import { declareServer } from "../../discovery/index.ts";
import type {
  InProcessServer,
  InProcessSource,
  JsonObject,
  McpTransport,
  Problem,
  Provenance,
  ServerDeclaration,
} from "../../model/index.ts";

/** Declares an entry with a `server` object or a `transport` function; `undefined` for all other entries. */
export function declareInProcess(
  name: string,
  entry: object,
  provenance: Provenance,
): ServerDeclaration | undefined {
  const { server, transport, ...fields } = entry as Readonly<Record<string, unknown>>;
  if (server === undefined && typeof transport !== "function") return undefined;
  const field = server === undefined ? "transport" : "server";
  const inProcess = server === undefined ? toSource({ transport }) : toSource({ server });
  const other = ["command", "url", "transport"].find((each) => each !== field && each in entry);
  const { file } = provenance;
  const problem = (code: Problem["code"], what: string): Pick<ServerDeclaration, "problems"> => ({
    problems: [{ code, severity: "error", message: `${file} server "${name}": ${what}`, server: name, file }],
  });
  const declared: ServerDeclaration = {
    ...declareServer(name, fields as JsonObject, provenance),
    transport: { kind: "in-process", reason: `it has a ${field}` },
  };
  if (other !== undefined)
    return {
      ...declared,
      ...problem("transport-ambiguous", `"${field}" cannot be combined with "${other}"`),
    };
  if (inProcess === undefined)
    return {
      ...declared,
      ...problem("field-type", '"server" must be an McpServer or Server of the MCP SDK'),
    };
  return { ...declared, inProcess };
}

function toSource({
  server,
  transport,
}: {
  server?: unknown;
  transport?: unknown;
}): InProcessSource | undefined {
  if (isServer(server)) return { server };
  return isFactory(transport) ? { transport } : undefined;
}

/** Both versions of the SDK have these methods, on `McpServer` and on `Server`. */
function isServer(value: unknown): value is InProcessServer {
  return (
    typeof value === "object" &&
    value !== null &&
    "connect" in value &&
    typeof value.connect === "function" &&
    "close" in value &&
    typeof value.close === "function"
  );
}

/** Its result is checked when it is called. */
function isFactory(value: unknown): value is () => McpTransport | Promise<McpTransport> {
  return typeof value === "function";
}
