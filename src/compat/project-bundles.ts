import type { McpBundleConfig } from "../config/index.ts";
import { canonicalJson, type JsonObject } from "../model/index.ts";

/** The project's file that a bundle was loaded from; `undefined` for the program's own bundles. */
const fileOfObject = new WeakMap<McpBundleConfig, string | undefined>();
/** The same, keyed by content, for copies. */
const fileOfContent = new Map<string, string>();

/** Remembers where bundles were loaded from. `file` is a project's file, or `undefined` for the program's and the user's bundles. */
export function rememberBundles(
  bundles: Readonly<Record<string, McpBundleConfig>>,
  file: string | undefined,
): void {
  for (const bundle of Object.values(bundles)) {
    fileOfObject.set(bundle, file);
    if (file !== undefined) fileOfContent.set(contentOf(bundle), file);
  }
}

/**
 * Ignores the `allowTools` of a project's bundle for an untrusted server from another file, because it would allow tools there. For
 * other servers, `allowTools` only restricts.
 */
export function restrictBundle(
  bundle: McpBundleConfig,
  server: { readonly file: string; readonly trust: string | undefined },
): McpBundleConfig {
  const file = fileOfObject.has(bundle) ? fileOfObject.get(bundle) : fileOfContent.get(contentOf(bundle));
  if (file === undefined || file === server.file || server.trust !== "untrusted") return bundle;
  const { allowTools: _, ...rest } = bundle;
  return rest;
}

function contentOf({ serverId, allowTools = [] }: McpBundleConfig): string {
  return canonicalJson({ serverId, allowTools: [...allowTools].sort() } satisfies JsonObject);
}
