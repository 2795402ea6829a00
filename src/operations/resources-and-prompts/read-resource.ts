import {
  HostError,
  isHostError,
  isJsonObject,
  itemsOf,
  type JsonObject,
  type JsonValue,
  nearest,
  type ResourceContent,
  type ResourceResult,
  type Server,
} from "../../model/index.ts";
import { type CallContext, isWrapped, withMeta, wrapCall } from "../calls/wrap-call.ts";
import { onServer, unlessCancelled } from "../lifecycle/on-server.ts";
import { useServer } from "../lifecycle/use-server.ts";
import { catalogSubject, type Workspace } from "../workspace.ts";

/** A resource with more parts than this is an attack or a mistake. */
const MOST_CONTENTS = 1_000;
/** "Resource not found" in the two protocol eras. */
const NOT_FOUND = new Set([-32002, -32602]);
/** "Method not found": the server does not support resources. */
const NO_RESOURCES = -32601;

/** Reads a resource from its server. It does not have to be in the list, because templates cover many resources. */
export function readResource(
  workspace: Workspace,
  name: string,
  uri: string,
  context: CallContext,
): Promise<ResourceResult> {
  if (!isWrapped(workspace)) return requestResource(workspace, name, uri, context);
  return wrapCall(workspace, {
    kind: "resource",
    server: name,
    tool: uri,
    context,
    async check() {
      await unlessCancelled(context.signal, () => useServer(workspace, name), name);
      return {};
    },
    make: (changed) => requestResource(workspace, name, uri, changed ? withMeta(context, changed) : context),
  });
}

function requestResource(
  workspace: Workspace,
  name: string,
  uri: string,
  { signal, meta }: CallContext,
): Promise<ResourceResult> {
  return onServer(workspace, { server: name, signal }, async ({ use, connect }) => {
    const prepare = async () => ({ server: await use(), connection: await connect() });
    const { server, connection } = await unlessCancelled(signal, prepare, name);
    try {
      const { timeoutMs } = server;
      const params = meta === undefined ? { uri } : { uri, _meta: meta };
      return toResult(await connection.request("resources/read", params, { timeoutMs, signal }));
    } catch (error) {
      throw (await toUnknown(workspace, server, uri, error)) ?? error;
    }
  });
}

function toResult({ contents }: JsonObject): ResourceResult {
  const items = itemsOf(contents);
  return { contents: items.slice(0, MOST_CONTENTS).flatMap(toContent) };
}

/** Omits parts without text or binary data. */
function toContent(value: JsonValue): ResourceContent[] {
  if (!isJsonObject(value)) return [];
  const { uri, mimeType, text, blob } = value;
  if (typeof uri !== "string" || (typeof text !== "string" && typeof blob !== "string")) return [];
  return [
    {
      uri,
      ...(typeof mimeType === "string" && { mimeType }),
      ...(typeof text === "string" ? { text } : typeof blob === "string" && { blob }),
    },
  ];
}

async function toUnknown(
  { catalogs }: Workspace,
  server: Server,
  uri: string,
  error: unknown,
): Promise<HostError | undefined> {
  if (!isHostError(error, "REQUEST_REFUSED") || error.rpcCode === undefined) return undefined;
  const { name } = server;
  if (error.rpcCode === NO_RESOURCES) {
    return new HostError("RESOURCE_UNKNOWN", `Server "${name}" offers no resources.`, {
      server: name,
      cause: error,
    });
  }
  if (!NOT_FOUND.has(error.rpcCode)) return undefined;
  const known =
    (await catalogs.peek(catalogSubject(server)))?.catalog.resources.map((item) => item.uri) ?? [];
  if (known.includes(uri)) return undefined;
  const close = nearest(uri, known);
  return new HostError("RESOURCE_UNKNOWN", `Server "${name}" has no resource "${uri}": ${error.message}`, {
    server: name,
    hint: close === undefined ? undefined : `Did you mean "${close}"?`,
    cause: error,
  });
}
