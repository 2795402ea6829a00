import type { DiscoveryProvider, ProviderReading, RawEntry } from "../../src/discovery/provider.ts";
import { SourceReader, toSourceDocument } from "../../src/discovery/read-sources.ts";
import { findWhere } from "../../src/discovery/where.ts";
import type { Files } from "../../src/platform/index.ts";
import { findOwnPaths } from "../../src/state/index.ts";
import { createMemoryFiles } from "../../src/testing/index.ts";

/** A machine as a provider sees it. Files are texts, or values that are written as JSON. */
export interface Machine {
  readonly platform?: "linux" | "darwin" | "win32";
  readonly home?: string;
  readonly cwd?: string;
  readonly variables?: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, unknown>>;
}

const HOMES = { linux: "/home/me", darwin: "/Users/me", win32: "C:\\Users\\me" };
const WORK = { linux: "/repo", darwin: "/repo", win32: "C:\\work" };

/** Runs one provider on a machine that exists in memory only. */
export async function readOn(provider: DiscoveryProvider, machine: Machine): Promise<ProviderReading> {
  const { platform = "linux", variables = {} } = machine;
  const { home = HOMES[platform], cwd = WORK[platform] } = machine;
  const environment = { platform, home, cwd, variables };
  const files = filesOf(machine);
  const where = await findWhere(files, environment, findOwnPaths(environment));
  const reader = new SourceReader(files, where, environment);
  const read = async (origins: ReturnType<DiscoveryProvider["files"]>) =>
    (await reader.read(origins)).flatMap((source) => toSourceDocument(source) ?? []);
  const first = await read(provider.files(where));
  const further = await read(provider.furtherFiles?.(first, where) ?? []);
  return provider.read([...first, ...further], where);
}

/** The only entry of a reading, for tests of a single one. */
export function onlyEntry({ entries }: ProviderReading): RawEntry {
  const [entry, ...more] = entries;
  if (entry === undefined || more.length > 0) throw new Error(`expected one entry, found ${entries.length}`);
  return entry;
}

/** The only entry that a provider finds in one file. */
export async function readEntry(
  provider: DiscoveryProvider,
  file: string,
  value: unknown,
  machine: Omit<Machine, "files"> = {},
): Promise<RawEntry> {
  return onlyEntry(await readOn(provider, { ...machine, files: { [file]: value } }));
}

/** Files in memory are found by either kind of slash. */
function filesOf({ files }: Machine): Files {
  const slashed = (path: string): string => path.replaceAll("\\", "/");
  const texts = Object.entries(files).map(([path, value]): [string, string] => [
    slashed(path),
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
  const memory = createMemoryFiles(new Map(texts));
  return {
    ...memory,
    read: (path, limit) => memory.read(slashed(path), limit),
    async present(paths) {
      const found = await memory.present(paths.map(slashed));
      return new Set(paths.filter((path) => found.has(slashed(path))));
    },
    kind: (path) => memory.kind(slashed(path)),
    list: (folder) => memory.list(slashed(folder)),
  };
}
