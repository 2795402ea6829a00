/** Config files → declarations: reads each tool's config files by that tool's rules and records where each entry is. */

export { declareToolloop } from "./declare-toolloop.ts";
export type { Dialect, PortableServer, Unsupported } from "./dialects/dialect.ts";
export { isUnsupported } from "./dialects/dialect.ts";
export type { DiscoverContext, Discovery } from "./discover.ts";
export { declareServer, discover, PROVIDER_IDS } from "./discover.ts";
export { readManagedDocument } from "./managed-document.ts";
export { EVERYWHERE, PROFILE_NAME } from "./profiles.ts";
export { readUnpackedMcpb } from "./templates/mcpb-manifest.ts";
export { readServerJson } from "./templates/server-json.ts";
export type { ServerTemplate } from "./templates/template.ts";
export { findWhere } from "./where.ts";

import type { Environment, Files } from "../platform/index.ts";
import type { OwnPaths } from "../state/index.ts";
import type { Dialect } from "./dialects/dialect.ts";

/** Returns the paths that any tool reads servers from. For a path with `*`, returns the matching files too. */
export async function listConfigFiles(
  files: Files,
  environment: Environment,
  places: OwnPaths,
): Promise<string[]> {
  return (await import("./config-files.lazy.ts")).listConfigFiles(files, environment, places);
}

/** Returns the writers for other tools' config files. Loaded only for exports. */
export async function loadDialects(): Promise<readonly Dialect[]> {
  return (await import("./dialects/dialects.lazy.ts")).DIALECTS;
}
