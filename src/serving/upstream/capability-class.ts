import { createHash } from "node:crypto";
import { type ClientCapabilities, canonicalJson, isJsonObject, type JsonObject } from "../../model/index.ts";
import type { ClientFacts } from "../client-request.ts";

const TASKS = "io.modelcontextprotocol/tasks";
/** Extensions that servers are told about, because their definitions depend on them. */
const EXTENSIONS = ["io.modelcontextprotocol/ui", TASKS];

/** What servers are told about a client. Clients with equal capabilities can share connections and lists. */
export interface CapabilityClass {
  readonly id: string;
  readonly announce: { readonly legacy: ClientCapabilities; readonly modern: ClientCapabilities };
}

/**
 * Returns what servers are told about a client. Roots are announced only to servers that may see the client's folders.
 * `sampling.context` is never announced, because it would reveal other servers' data.
 */
export function capabilityClass(
  { era, version, capabilities }: ClientFacts,
  { roots: maySeeRoots }: { readonly roots: boolean },
): CapabilityClass {
  const { elicitation, sampling, roots, extensions } = capabilities;
  const isUrlKnown = era === "modern" || version >= "2025-11-25";
  const url = isJsonObject(elicitation) && elicitation["url"] !== undefined && isUrlKnown;
  const form = isJsonObject(elicitation) && (elicitation["form"] !== undefined || !hasMode(elicitation));
  const asks: JsonObject = {
    ...((form || url) && { elicitation: { ...(form && { form: {} }), ...(url && { url: {} }) } }),
    ...(isJsonObject(sampling) && { sampling: { ...(isJsonObject(sampling["tools"]) && { tools: {} }) } }),
    ...(isJsonObject(roots) && maySeeRoots && { roots: {} }),
  };
  const known = isJsonObject(extensions) ? extensions : {};
  const kept = EXTENSIONS.flatMap((name) => {
    const value = known[name];
    return isJsonObject(value) ? [[name, value] as const] : [];
  });
  const modern: JsonObject = { ...asks, ...(kept.length > 0 && { extensions: Object.fromEntries(kept) }) };
  const { [TASKS]: _, ...legacyExtensions } = Object.fromEntries(kept);
  const legacy: JsonObject = {
    ...asks,
    ...(asks["roots"] !== undefined && { roots: { listChanged: true } }),
    ...(Object.keys(legacyExtensions).length > 0 && { extensions: legacyExtensions }),
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
