import { createHash } from "node:crypto";
import {
  type ClientCapabilities,
  canonicalJson,
  isJsonObject,
  isList,
  type JsonObject,
  memoize,
} from "../../model/index.ts";
import { jsonWeight } from "../../platform/index.ts";
import type { ClientFacts } from "../client-request.ts";
import { INVALID_PARAMS, RpcError } from "../rpc-error.ts";

/** Announced for every client, because the gateway follows tasks for those that cannot. */
const TASKS = "io.modelcontextprotocol/tasks";
const UI = "io.modelcontextprotocol/ui";
/** The types of user interfaces that are announced to servers. */
const UI_TYPES = ["text/html;profile=mcp-app", "text/html", "text/uri-list"];

const LONGEST = 4_096;
/** No shorter text has this weight. Writing a long text to find its length would block the process. */
const HEAVIEST = { depth: 64, weight: 4 * LONGEST };

/** Throws an `RpcError` if a client announces more capabilities than sessions may keep. */
export function assertShort(capabilities: JsonObject): void {
  const isShort =
    typeof jsonWeight(capabilities, HEAVIEST) === "number" && JSON.stringify(capabilities).length <= LONGEST;
  if (!isShort) throw new RpcError(INVALID_PARAMS, `The capabilities are longer than ${LONGEST} characters.`);
}

/** The capabilities that servers see for a client. Clients with equal capabilities can share connections and lists. */
export interface CapabilityClass {
  readonly id: string;
  readonly announce: { readonly legacy: ClientCapabilities; readonly modern: ClientCapabilities };
}

/**
 * Returns the capabilities that servers see for a client. Roots are announced only to servers that may see the client's folders.
 * `sampling.context` is never announced, because it would reveal other servers' data.
 */
export function capabilityClass(
  { capabilities }: Pick<ClientFacts, "capabilities">,
  { roots }: { readonly roots: boolean },
): CapabilityClass {
  return (roots ? classWithRoots : classWithoutRoots)(capabilities);
}

/** Cached because every request needs it several times. The capabilities of a session are one object. */
const classWithRoots = memoize((capabilities: JsonObject) => computeClass(capabilities, true));
const classWithoutRoots = memoize((capabilities: JsonObject) => computeClass(capabilities, false));

function computeClass(capabilities: JsonObject, maySeeRoots: boolean): CapabilityClass {
  const { elicitation, sampling, roots, extensions } = capabilities;
  const url = isJsonObject(elicitation) && elicitation["url"] !== undefined;
  const form = isJsonObject(elicitation) && (elicitation["form"] !== undefined || !hasMode(elicitation));
  const asks: JsonObject = {
    ...((form || url) && { elicitation: { ...(form && { form: {} }), ...(url && { url: {} }) } }),
    ...(isJsonObject(sampling) && { sampling: { ...(isJsonObject(sampling["tools"]) && { tools: {} }) } }),
    ...(isJsonObject(roots) && maySeeRoots && { roots: {} }),
  };
  const known = knownExtensions(isJsonObject(extensions) ? extensions : {});
  const modern: JsonObject = { ...asks, extensions: { ...known, [TASKS]: {} } };
  const legacy: JsonObject = {
    ...asks,
    ...(asks["roots"] !== undefined && { roots: { listChanged: true } }),
    ...(Object.keys(known).length > 0 && { extensions: known }),
  };
  const id = createHash("sha256")
    .update(canonicalJson([legacy, modern]))
    .digest("hex")
    .slice(0, 16);
  return { id, announce: { legacy, modern } };
}

/** An empty object means forms only. */
function hasMode(elicitation: JsonObject): boolean {
  return elicitation["form"] !== undefined || elicitation["url"] !== undefined;
}

/**
 * Keeps the extensions that servers' definitions depend on, with the fields that are known. A client must not be able to create
 * any number of classes, because each has its own server processes.
 */
function knownExtensions({ [UI]: ui }: JsonObject): JsonObject {
  if (!isJsonObject(ui)) return {};
  const types = isList(ui["mimeTypes"]) ? ui["mimeTypes"] : [];
  return { [UI]: { mimeTypes: UI_TYPES.filter((type) => types.includes(type)) } };
}
