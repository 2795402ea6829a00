import type { McpBundleConfig } from "../config/index.ts";
import { canonicalJson, type JsonObject } from "../model/index.ts";

/** The repository's file that a bundle was read from; undefined for the program's own bundles. */
const fileOfObject = new WeakMap<McpBundleConfig, string | undefined>();
/** The same by content, for copies. */
const fileOfContent = new Map<string, string>();

/** Remembers where bundles were read. `file` is a repository's file; leave it out for the program's and the user's own bundles. */
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
 * A repository's bundle can only narrow a server of another file: without its `allowTools` it opens no untrusted server.
 * On any other server, `allowTools` narrows.
 */
export function narrowing(
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
