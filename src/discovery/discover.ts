import { hushed, parseDocument, problemIn, readInlineConfig, type Settings } from "../config/index.ts";
import {
  type Bundle,
  isJsonObject,
  type JsonObject,
  NATIVE_EXPANSION,
  type Problem,
  type Provenance,
  type ServerDeclaration,
} from "../model/index.ts";
import type { Environment, Ports } from "../platform/index.ts";
import type { Places } from "../state/index.ts";
import { readBundle } from "./bundles.ts";
import { inWorkspace } from "./in-workspace.ts";
import { createQuota, MOST_PROBLEMS, ProjectServers, placeOf, withinLimits } from "./limits.ts";
import type {
  DiscoveryProvider,
  ProviderReading,
  RawEntry,
  SourceDocument,
  SourceFile,
  Switches,
  Where,
} from "./provider.ts";
import { PROVIDERS } from "./providers/index.ts";
import { readNative } from "./providers/native.ts";
import { type ReadSource, SourceReader, toSourceDocument } from "./read-sources.ts";
import { entryAt, keyOfField, positionOfField } from "./spellings.ts";
import { settleTiers } from "./user-files.ts";
import { findWhere } from "./where.ts";

/** Everything the files say, first in precedence first. */
export interface Discovery {
  readonly declarations: readonly ServerDeclaration[];
  readonly switches: Switches;
  /** Names of the user's servers that run the packages of the working folder. */
  readonly resolveInProject: readonly string[];
  readonly bundles: readonly Bundle[];
  readonly problems: readonly Problem[];
  /** The files that were there. */
  readonly files: readonly string[];
  /** Every place that was looked at, for watching. */
  readonly looked: readonly string[];
}

export interface DiscoverContext {
  readonly ports: Ports;
  readonly environment: Environment;
  readonly places: Places;
  readonly settings: Settings;
  /** Also finds out which entries providers that are switched off would read; nothing else comes from these providers. */
  readonly countAllReaders?: boolean;
}

/** Reads every provider's files. One bad file or entry is a problem and hides nothing else; nothing is started. */
export async function discover({
  ports,
  environment,
  places,
  settings,
  countAllReaders = false,
}: DiscoverContext): Promise<Discovery> {
  const { files } = ports;
  const where = await findWhere(files, environment, places);
  const reader = new SourceReader(files, where, environment);
  const inline = await readInline(reader, environment);
  const servers = new ProjectServers();
  // One after the other: a project's limits must always leave out the same files and servers.
  const readAll = async (providers: readonly DiscoveryProvider[]): Promise<Reading[]> => {
    const readings: Reading[] = [];
    for (const provider of providers) readings.push(await readProvider(provider, reader, where, servers));
    return readings;
  };
  const readings = await readAll(inOrder(settings));
  const looked = [...reader.looked];
  const off = countAllReaders ? PROVIDERS.filter(({ id }) => settings.providersOff.includes(id)) : [];
  const silent = await readAll(off);
  return {
    ...gather(
      [...inline.readings, ...readings.map(withoutTwins)],
      [...homeProblems(where), ...inline.problems],
      silent,
    ),
    looked,
  };
}

async function readProvider(
  provider: DiscoveryProvider,
  reader: SourceReader,
  where: Where,
  servers: ProjectServers,
): Promise<Reading> {
  const first = await reader.read(settleTiers(provider.files(where), where));
  const quota = createQuota();
  const documents = first.flatMap((source) => toSourceDocument(source, quota) ?? []);
  const furtherFiles = settleTiers(provider.furtherFiles?.(documents, where) ?? [], where);
  const further = (await reader.read(furtherFiles)).filter(
    ({ file }) => !first.some((source) => source.file === file),
  );
  const all = [...documents, ...further.flatMap((source) => toSourceDocument(source, quota) ?? [])];
  const reading = inWorkspace(withinLimits(provider.read(all, where), servers), where, provider.id);
  await reader.pace();
  return { provider, sources: [...first, ...further], reading };
}

/** Every provider that the settings can name. */
export const PROVIDER_IDS: readonly string[] = PROVIDERS.map(({ id }) => id);

/** What one provider read and made of it. */
interface Reading {
  readonly provider: Pick<DiscoveryProvider, "id">;
  readonly sources: readonly ReadSource[];
  readonly reading: ProviderReading;
}

/** By priority, ties by id; what the settings name comes first, in their order. */
function inOrder({ providersOff, providerOrder }: Settings): DiscoveryProvider[] {
  const rank = ({ id }: DiscoveryProvider): number => {
    const place = providerOrder.indexOf(id);
    return place === -1 ? providerOrder.length : place;
  };
  return PROVIDERS.filter(({ id }) => !providersOff.includes(id)).sort(
    (left, right) =>
      rank(left) - rank(right) || right.priority - left.priority || (left.id < right.id ? -1 : 1),
  );
}

/** In the account's own home folder a provider's user file may also be its nearest project file. It counts as the user's. */
function withoutTwins({ provider, sources, reading }: Reading): Reading {
  const owned = new Set(sources.filter(({ origin }) => origin.tier !== "project").map(({ file }) => file));
  const entries = reading.entries.filter(
    ({ source }) => source.tier !== "project" || !owned.has(source.file),
  );
  return { provider, sources, reading: { ...reading, entries } };
}

/** What keeps user files from being read. */
function homeProblems({ homeKind, home, userConfig }: Where): Problem[] {
  if (homeKind !== "none") return [];
  const saved = userConfig.startsWith(home) ? " and nothing is saved" : "";
  const message = `There is no home folder, so your own config files are not read${saved}. Set HOME to an absolute path.`;
  return [{ code: "home-missing", severity: "warning", message }];
}

async function readInline(
  reader: SourceReader,
  environment: Environment,
): Promise<{ readings: Reading[]; problems: Problem[] }> {
  const { json, path, problems: lost } = readInlineConfig(environment);
  const problems = [...lost];
  const sources: ReadSource[] = [];
  if (json !== undefined) {
    const file = `$${json.variable}`;
    sources.push({ origin: INLINE, file, read: await parseDocument(json.text, file) });
  }
  if (path !== undefined) {
    const origin = path.tier === "user" ? INLINE : { ...INLINE, scope: path.tier, tier: path.tier };
    const source = await reader.readOwn(path.file, origin);
    if (!source.read.exists) {
      problems.push(problemIn(path.file, "file-missing", `does not exist ($${path.variable} names it)`));
    }
    sources.push(source);
  }
  const native = readNative(sources.flatMap((source) => toSourceDocument(source) ?? []));
  const reading = withinLimits(native, new ProjectServers());
  return { readings: [{ provider: { id: "environment" }, sources, reading }], problems };
}

const INLINE: SourceFile = { paths: [], scope: "user", tier: "user", format: "json" };

function gather(
  readings: readonly Reading[],
  inlineProblems: readonly Problem[],
  silent: readonly Reading[],
): Omit<Discovery, "looked"> {
  const problems = new Map<string, Problem>();
  const counts = new Map<string, number>();
  const keep = (problem: Problem): void => void problems.set(problem.message, problem);
  /** Keeps so many problems of a project's file. */
  const keepSome = ({ file, tier, isLink }: SourceDocument, found: Problem): void => {
    const problem = isLink === true ? hushed(found, file) : found;
    if (tier !== "project" || problems.has(problem.message)) return keep(problem);
    const count = (counts.get(file) ?? 0) + 1;
    counts.set(file, count);
    if (count <= MOST_PROBLEMS) keep(problem);
    else
      keep(
        problemIn(file, problem.code, "has more problems, which are not shown", undefined, problem.severity),
      );
  };
  const switches = { disabled: [] as string[], enabled: [] as string[] };
  const bundles: Bundle[] = [];
  for (const problem of inlineProblems) keep(problem);
  for (const { provider, sources, reading } of readings) {
    for (const { file, origin, read } of sources) {
      read.problems.forEach(keep);
      if (origin.named === true && !read.exists)
        keep(problemIn(file, "file-missing", "does not exist, but was named"));
    }
    for (const { source, path, code, message, severity } of reading.complaints ?? []) {
      keepSome(source, problemIn(source.file, code, message, source.document.at(path), severity));
    }
    for (const raw of reading.bundles ?? []) {
      const { bundle, wrong } = readBundle(raw, provider.id);
      if (bundle !== undefined) bundles.push(bundle);
      for (const message of wrong)
        keepSome(
          raw.source,
          problemIn(raw.source.file, "field-type", message, raw.source.document.at(raw.path)),
        );
    }
    switches.disabled.push(...(reading.switches?.disabled ?? []));
    switches.enabled.push(...(reading.switches?.enabled ?? []));
  }
  const files = readings.flatMap(({ sources }) =>
    sources.flatMap(({ file, read }) => (read.exists ? file : [])),
  );
  return {
    declarations: declareAll(readings, silent),
    switches,
    resolveInProject: readings.flatMap(({ reading }) => reading.resolveInProject ?? []),
    bundles: withoutDoubles(bundles),
    problems: [...problems.values()],
    files: [...new Set(files)],
  };
}

/** One per id: the person's own before the project's, then by precedence. */
function withoutDoubles(bundles: readonly Bundle[]): Bundle[] {
  const isStrange = ({ source }: Bundle): boolean => source.tier === "project";
  const ranked = [...bundles.filter((bundle) => !isStrange(bundle)), ...bundles.filter(isStrange)];
  const byId = new Map<string, Bundle>();
  for (const bundle of ranked) if (!byId.has(bundle.id)) byId.set(bundle.id, bundle);
  return [...byId.values()];
}

/** One declaration per entry of a file: the highest-ranked reader that accepts it speaks for it. Managed ones come first. */
function declareAll(readings: readonly Reading[], silent: readonly Reading[]): ServerDeclaration[] {
  const byPlace = new Map<string, { readonly tool: string; readonly entry: RawEntry }[]>();
  const silentlyRead = new Set(silent.flatMap(({ reading }) => reading.entries.map(placeOf)));
  const filesOf = new Map(
    [...readings, ...silent].map(({ provider, sources }) => [provider.id, sources.map(({ file }) => file)]),
  );
  const sharedFiles = repeated([...filesOf.values()].flatMap((files) => [...new Set(files)]));
  for (const { provider, reading } of readings) {
    for (const entry of reading.entries) {
      const place = placeOf(entry);
      const readers = byPlace.get(place);
      const reader = { tool: provider.id, entry };
      if (readers === undefined) byPlace.set(place, [reader]);
      else readers.push(reader);
    }
  }
  const order = readings.map(({ provider }) => provider.id);
  const spokesmen = [...byPlace.values()].flatMap((readers) => {
    const speaker = readers.find(({ entry }) => entry.owner?.valid !== false) ?? readers[0];
    if (speaker === undefined) return [];
    const others = readers.filter((reader) => reader !== speaker).map(({ tool }) => tool);
    const { entry } = speaker;
    const isShared = others.length > 0 || silentlyRead.has(placeOf(entry));
    const inFile = sharedFiles.has(entry.source.file) ? "file" : undefined;
    const shared: ServerDeclaration["sharedWithOthers"] = isShared ? "entry" : inFile;
    return [
      {
        rank: order.indexOf(speaker.tool),
        declaration: {
          ...toDeclaration(speaker.tool, entry, others),
          ...(shared && { sharedWithOthers: shared }),
        },
      },
    ];
  });
  return spokesmen
    .map((spokesman, index) => ({ ...spokesman, index }))
    .sort(
      (left, right) =>
        Number(isManaged(right.declaration)) - Number(isManaged(left.declaration)) ||
        left.rank - right.rank ||
        left.index - right.index,
    )
    .map(({ declaration }) => declaration);
}

/** The texts that occur more than once. */
function repeated(texts: readonly string[]): Set<string> {
  const seen = new Set<string>();
  return new Set(texts.filter((text) => seen.size === seen.add(text).size));
}

function isManaged({ provenance }: ServerDeclaration): boolean {
  return provenance.tier === "managed";
}

export function toDeclaration(tool: string, entry: RawEntry, readers: readonly string[]): ServerDeclaration {
  const { name, source, path, fields, scope = source.scope } = entry;
  const at = source.document.at(path);
  const written = entry.entry ?? entryAt(source, path);
  return {
    name,
    fields,
    ...(isJsonObject(written) && { entry: written }),
    provenance: {
      tool,
      scope,
      tier: source.tier,
      file: source.file,
      ...at,
      ...(readers.length > 0 && { readers }),
    },
    positionOf: (field) => positionOfField(source, path, field) ?? at,
    keyOf: (field) => keyOfField(source, path, field),
    ...(entry.fieldSources && { fieldSources: entry.fieldSources }),
    ...(entry.transport && { transport: entry.transport }),
    ...(entry.enabled && { enabled: entry.enabled }),
    ...(entry.owner && { owner: entry.owner }),
    ...(entry.inputs && { inputs: entry.inputs }),
    ...(entry.template && { template: entry.template }),
    ...(entry.timeoutRules && { timeoutRules: entry.timeoutRules }),
    ...(entry.projectFolder && { projectFolder: entry.projectFolder }),
    expansion: entry.expansion,
    problems: [],
  };
}

/** A declaration for a server that a program gives instead of a file. */
export function declare(name: string, fields: JsonObject, provenance: Provenance): ServerDeclaration {
  return { name, fields, provenance, positionOf: () => undefined, expansion: NATIVE_EXPANSION, problems: [] };
}
