import {
  parseDocument,
  problemIn,
  readInlineConfig,
  type Settings,
  withoutDetails,
} from "../config/index.ts";
import {
  type Bundle,
  isJsonObject,
  type JsonObject,
  NATIVE_EXPANSION,
  type Problem,
  type Profile,
  type Provenance,
  type ServerDeclaration,
} from "../model/index.ts";
import type { Environment, Ports } from "../platform/index.ts";
import type { OwnPaths } from "../state/index.ts";
import { assignTiers } from "./assign-tiers.ts";
import { readBundle } from "./bundles.ts";
import { entryAt, keyOfField, positionOfField } from "./field-names.ts";
import { createQuota, entryKey, MAX_PROBLEMS, ProjectServers, withinLimits } from "./limits.ts";
import { withProjectFolders } from "./project-folders.ts";
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
import { findWhere } from "./where.ts";

/** The result of reading all config files, ordered by precedence. */
export interface Discovery {
  readonly declarations: readonly ServerDeclaration[];
  readonly switches: Switches;
  /** The names of the user's servers that may use packages from the working folder. */
  readonly resolveInProject: readonly string[];
  readonly bundles: readonly Bundle[];
  readonly profiles: readonly Profile[];
  readonly problems: readonly Problem[];
  /** The files that exist. */
  readonly files: readonly string[];
  /** All paths that were checked, to watch them for changes. */
  readonly looked: readonly string[];
}

export interface DiscoverContext {
  readonly ports: Ports;
  readonly environment: Environment;
  readonly places: OwnPaths;
  readonly settings: Settings;
  /** Also reports which entries disabled providers would read. Nothing else from those providers is used. */
  readonly countAllReaders?: boolean;
}

/**
 * Reads the config files of all providers. An invalid file or entry becomes a problem and does not affect others.
 * Starts nothing.
 */
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
  const inline = await readInline(reader, where, environment);
  const servers = new ProjectServers();
  // Sequential, so that a project's limits always drop the same files and servers.
  const readAll = async (providers: readonly DiscoveryProvider[]): Promise<Reading[]> => {
    const readings: Reading[] = [];
    for (const provider of providers) readings.push(await readProvider(provider, reader, where, servers));
    return readings;
  };
  const readings = await readAll(inOrder(settings));
  const looked = [...reader.looked];
  const off = countAllReaders ? PROVIDERS.filter(({ id }) => settings.providersOff.includes(id)) : [];
  const disabledReadings = await readAll(off);
  return {
    ...gather(
      [...inline.readings, ...readings.map(withoutProjectDuplicates)],
      [...homeProblems(where), ...inline.problems],
      disabledReadings,
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
  const first = await reader.read(assignTiers(provider.files(where), where));
  const quota = createQuota();
  const documents = first.flatMap((source) => toSourceDocument(source, quota) ?? []);
  const furtherFiles = assignTiers(provider.furtherFiles?.(documents, where) ?? [], where);
  const further = (await reader.read(furtherFiles)).filter(
    ({ file }) => !first.some((source) => source.file === file),
  );
  const all = [...documents, ...further.flatMap((source) => toSourceDocument(source, quota) ?? [])];
  const reading = withProjectFolders(withinLimits(provider.read(all, where), servers), where, provider.id);
  await reader.pace();
  return { provider, sources: [...first, ...further], reading };
}

/** The ids of all providers, as used in the settings. */
export const PROVIDER_IDS: readonly string[] = PROVIDERS.map(({ id }) => id);

/** The files of one provider and the entries found in them. */
export interface Reading {
  readonly provider: Pick<DiscoveryProvider, "id">;
  readonly sources: readonly ReadSource[];
  readonly reading: ProviderReading;
}

/** Sorts providers by the order in the settings, then by priority, then by id. */
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

/**
 * If the home folder is also the project, a provider's user file may be its nearest project file. Treats it as the
 * user's.
 */
function withoutProjectDuplicates({ provider, sources, reading }: Reading): Reading {
  const owned = new Set(sources.filter(({ origin }) => origin.tier !== "project").map(({ file }) => file));
  const entries = reading.entries.filter(
    ({ source }) => source.tier !== "project" || !owned.has(source.file),
  );
  return { provider, sources, reading: { ...reading, entries } };
}

/** Returns a problem if user files cannot be read because there is no home folder. */
function homeProblems({ homeKind, home, userConfig }: Where): Problem[] {
  if (homeKind !== "none") return [];
  const saved = userConfig.startsWith(home) ? " and nothing is saved" : "";
  const message = `There is no home folder, so your own config files are not read${saved}. Set HOME to an absolute path.`;
  return [{ code: "home-missing", severity: "warning", message }];
}

async function readInline(
  reader: SourceReader,
  where: Where,
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
      problems.push(problemIn(path.file, "file-missing", `does not exist (set by $${path.variable})`));
    }
    sources.push(source);
  }
  const native = readNative(sources.flatMap((source) => toSourceDocument(source) ?? []));
  const provider = { id: "environment" };
  const reading = withProjectFolders(withinLimits(native, new ProjectServers()), where, provider.id);
  return { readings: [{ provider, sources, reading }], problems };
}

const INLINE: SourceFile = { paths: [], scope: "user", tier: "user", format: "json" };

/** Combines what was read. */
export function gather(
  readings: readonly Reading[],
  inlineProblems: readonly Problem[],
  disabledReadings: readonly Reading[],
): Omit<Discovery, "looked"> {
  const problems = new Map<string, Problem>();
  const counts = new Map<string, number>();
  const addProblem = (problem: Problem): void => void problems.set(problem.message, problem);
  /** Limits the number of problems per project file. */
  const addLimited = ({ file, tier, isLink }: SourceDocument, found: Problem): void => {
    const problem = isLink === true ? withoutDetails(found, file) : found;
    if (tier !== "project" || problems.has(problem.message)) return addProblem(problem);
    const count = (counts.get(file) ?? 0) + 1;
    counts.set(file, count);
    if (count <= MAX_PROBLEMS) addProblem(problem);
    else
      addProblem(
        problemIn(file, problem.code, "has more problems that are not shown", undefined, problem.severity),
      );
  };
  const switches = { disabled: [] as string[], enabled: [] as string[] };
  const bundles: Bundle[] = [];
  for (const problem of inlineProblems) addProblem(problem);
  for (const { provider, sources, reading } of readings) {
    for (const { file, origin, read } of sources) {
      read.problems.forEach(addProblem);
      if (origin.named === true && !read.exists)
        addProblem(
          problemIn(file, "file-missing", "does not exist, but an environment variable points to it"),
        );
    }
    for (const { source, path, at, code, message, severity } of reading.complaints ?? []) {
      addLimited(source, problemIn(source.file, code, message, at ?? source.document.at(path), severity));
    }
    for (const raw of reading.bundles ?? []) {
      const { bundle, wrong } = readBundle(raw, provider.id);
      if (bundle !== undefined) bundles.push(bundle);
      for (const message of wrong)
        addLimited(
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
    declarations: declareAll(readings, disabledReadings),
    switches,
    resolveInProject: readings.flatMap(({ reading }) => reading.resolveInProject ?? []),
    bundles: uniqueBundles(bundles),
    profiles: readings.flatMap(({ reading }) => reading.profiles ?? []),
    problems: [...problems.values()],
    files: [...new Set(files)],
  };
}

/** Keeps one bundle per id. The user's own bundles take precedence over the project's. */
function uniqueBundles(bundles: readonly Bundle[]): Bundle[] {
  const isProjects = ({ source }: Bundle): boolean => source.tier === "project";
  const ranked = [...bundles.filter((bundle) => !isProjects(bundle)), ...bundles.filter(isProjects)];
  const byId = new Map<string, Bundle>();
  for (const bundle of ranked) if (!byId.has(bundle.id)) byId.set(bundle.id, bundle);
  return [...byId.values()];
}

/**
 * Returns one declaration per entry: the one by the highest-ranked provider that accepts it. Managed entries come
 * first.
 */
function declareAll(readings: readonly Reading[], disabledReadings: readonly Reading[]): ServerDeclaration[] {
  const byPlace = new Map<string, { readonly tool: string; readonly entry: RawEntry }[]>();
  const readByDisabled = new Set(disabledReadings.flatMap(({ reading }) => reading.entries.map(entryKey)));
  const filesOf = new Map(
    [...readings, ...disabledReadings].map(({ provider, sources }) => [
      provider.id,
      sources.map(({ file }) => file),
    ]),
  );
  const sharedFiles = duplicatesIn([...filesOf.values()].flatMap((files) => [...new Set(files)]));
  for (const { provider, reading } of readings) {
    for (const entry of reading.entries) {
      const place = entryKey(entry);
      const readers = byPlace.get(place);
      const reader = { tool: provider.id, entry };
      if (readers === undefined) byPlace.set(place, [reader]);
      else readers.push(reader);
    }
  }
  const order = readings.map(({ provider }) => provider.id);
  const chosen = [...byPlace.values()].flatMap((readers) => {
    const owner = readers.find(({ entry }) => entry.owner?.valid !== false) ?? readers[0];
    if (owner === undefined) return [];
    const others = readers.filter((reader) => reader !== owner).map(({ tool }) => tool);
    const { entry } = owner;
    const isShared = others.length > 0 || readByDisabled.has(entryKey(entry));
    const inFile = sharedFiles.has(entry.source.file) ? "file" : undefined;
    const shared: ServerDeclaration["sharedWithOthers"] = isShared ? "entry" : inFile;
    return [
      {
        rank: order.indexOf(owner.tool),
        declaration: {
          ...toDeclaration(owner.tool, entry, others),
          ...(shared && { sharedWithOthers: shared }),
        },
      },
    ];
  });
  return chosen
    .map((candidate, index) => ({ ...candidate, index }))
    .sort(
      (left, right) =>
        Number(isManaged(right.declaration)) - Number(isManaged(left.declaration)) ||
        left.rank - right.rank ||
        left.index - right.index,
    )
    .map(({ declaration }) => declaration);
}

/** Returns the strings that occur more than once. */
function duplicatesIn(texts: readonly string[]): Set<string> {
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
    ...(entry.isOutsideProjects && { isOutsideProjects: entry.isOutsideProjects }),
    expansion: entry.expansion,
    problems: [],
  };
}

/** Declares a server that a program configures instead of a file. */
export function declareServer(name: string, fields: JsonObject, provenance: Provenance): ServerDeclaration {
  return { name, fields, provenance, positionOf: () => undefined, expansion: NATIVE_EXPANSION, problems: [] };
}
