import { join } from "node:path";
import type { DiscoveryProvider, RawEntry, SourceDocument } from "../../src/discovery/provider.ts";
import { SourceReader, toSourceDocument } from "../../src/discovery/read-sources.ts";
import { findWhere } from "../../src/discovery/where.ts";
import { nodePorts } from "../../src/platform/node/index.ts";
import { findOwnPaths } from "../../src/state/index.ts";
import type { FixtureTree } from "./fixture-tree.ts";

export interface ProviderView {
  readonly documents: readonly SourceDocument[];
  /** Returns what the provider reads from some of its documents. */
  read(documents: readonly SourceDocument[]): readonly RawEntry[];
  readonly complaints: readonly string[];
}

/** Runs one provider on the fixture tree, as if started in `cwd`. */
export async function viewProvider(
  provider: DiscoveryProvider,
  tree: FixtureTree,
  cwd: string,
): Promise<ProviderView> {
  const variables = {
    ...tree.manifest.testEnv,
    HOME: tree.home,
    XDG_CONFIG_HOME: join(tree.home, ".config"),
  };
  const environment = { platform: "linux", home: tree.home, cwd, variables };
  const { files } = nodePorts();
  const where = await findWhere(files, environment, findOwnPaths(environment));
  const reader = new SourceReader(files, where, environment);
  const first = (await reader.read(provider.files(where))).flatMap(
    (source) => toSourceDocument(source) ?? [],
  );
  const further = (await reader.read(provider.furtherFiles?.(first, where) ?? [])).flatMap(
    (source) => toSourceDocument(source) ?? [],
  );
  const documents = [...first, ...further];
  const { complaints = [] } = provider.read(documents, where);
  return {
    documents,
    read: (some) => provider.read(some, where).entries,
    complaints: complaints.map(({ source, message }) => `${source.file} ${message}`),
  };
}
