import { parseDocument, problemIn, type ReadDocument, readDocument, type Settings } from "../config/index.ts";
import type { JsonObject, Problem, Provenance, ServerDeclaration } from "../model/index.ts";
import type { Environment, Files, Ports } from "../platform/index.ts";
import type { Places } from "../state/index.ts";
import { readInlineConfig } from "./inline.ts";
import { findProjectFolders } from "./project-folders.ts";
import type { DiscoveryProvider, SourceFile, Switches, Where } from "./provider.ts";
import { PROVIDERS } from "./providers/index.ts";
import { parseNative } from "./providers/native.ts";

/** Everything the files say, first in precedence first. */
export interface Discovery {
  readonly declarations: readonly ServerDeclaration[];
  readonly switches: Switches;
  readonly problems: readonly Problem[];
  /** The files that were there, for "nothing found in …" and for watching. */
  readonly files: readonly string[];
}

export interface DiscoverContext {
  readonly ports: Ports;
  readonly environment: Environment;
  readonly places: Places;
  readonly settings: Settings;
}

/** Reads every provider's files. One bad file or entry is a problem and hides nothing else; nothing is started. */
export async function discover({
  ports,
  environment,
  places,
  settings,
}: DiscoverContext): Promise<Discovery> {
  const { files } = ports;
  const where: Where = {
    home: environment.home,
    projectFolders: await findProjectFolders(files, environment.cwd),
    variables: environment.variables,
    userConfig: places.userConfig,
  };
  const sources = [
    ...(await inlineSources(files, environment)),
    ...(await providerSources(files, where, settings)),
  ];
  return gather(sources);
}

/** One file, or one variable, that was read. */
interface Source {
  readonly file: string;
  readonly read: ReadDocument;
  readonly provider: Pick<DiscoveryProvider, "id" | "parse">;
  readonly origin: Pick<SourceFile, "scope" | "tier">;
  readonly extra?: readonly Problem[];
}

async function inlineSources(files: Files, environment: Environment): Promise<Source[]> {
  const { json, path, ignored } = readInlineConfig(environment);
  const provider = { id: "environment", parse: parseNative };
  const origin = { scope: "user", tier: "user" } as const;
  const extra = ignored.map(({ variable, winner }) =>
    problemIn(`$${variable}`, "source-ignored", `is ignored because $${winner} is set`, undefined, "warning"),
  );
  const sources: Source[] = [];
  if (json !== undefined) {
    const file = `$${json.variable}`;
    sources.push({ file, read: parseDocument(json.text, file), provider, origin });
  }
  if (path !== undefined) {
    const read = await readDocument(files, path.file);
    const missing = problemIn(path.file, "file-missing", `does not exist ($${path.variable} names it)`);
    sources.push({ file: path.file, read, provider, origin, ...(read.exists ? {} : { extra: [missing] }) });
  }
  if (extra.length > 0) sources.push({ file: "", read: NOTHING_READ, provider, origin, extra });
  return sources;
}

const NOTHING_READ: ReadDocument = { document: undefined, exists: false, problems: [] };

async function providerSources(files: Files, where: Where, settings: Settings): Promise<Source[]> {
  const candidates = PROVIDERS.filter(({ id }) => !settings.providersOff.includes(id)).flatMap((provider) =>
    provider.files(where).map((origin) => ({ provider, origin })),
  );
  const read = await Promise.all(
    candidates.map(async ({ provider, origin }) => ({
      provider,
      origin,
      ...(await readFirst(files, origin.paths)),
    })),
  );
  const owned = userOwned(candidates.map(({ origin }) => origin));
  // In the home folder a user's file is also the nearest project file; it is the user's own word there too.
  return read.filter(
    ({ file, origin, read: { exists } }) => exists && (origin.tier !== "project" || !owned.has(file)),
  );
}

function userOwned(origins: readonly SourceFile[]): Set<string> {
  return new Set(origins.filter(({ tier }) => tier !== "project").flatMap(({ paths }) => paths));
}

async function readFirst(
  files: Files,
  paths: readonly string[],
): Promise<{ file: string; read: ReadDocument }> {
  for (const file of paths) {
    const read = await readDocument(files, file);
    if (read.exists) return { file, read };
  }
  return { file: paths[0] ?? "", read: NOTHING_READ };
}

function gather(sources: readonly Source[]): Discovery {
  const declarations: ServerDeclaration[] = [];
  const problems: Problem[] = [];
  const switches = { disabled: [] as string[], enabled: [] as string[] };
  for (const { file, read, provider, origin, extra = [] } of sources) {
    problems.push(...read.problems, ...extra);
    const { document } = read;
    if (document === undefined) continue;
    const parsed = provider.parse(document);
    for (const { code, message, path, severity } of parsed.complaints) {
      problems.push(problemIn(file, code, message, document.at(path), severity));
    }
    if (parsed.switches !== undefined && origin.tier !== "project") {
      switches.disabled.push(...parsed.switches.disabled);
      switches.enabled.push(...parsed.switches.enabled);
    }
    for (const { name, path, fields } of parsed.entries) {
      const provenance = { tool: provider.id, ...origin, file, ...document.at(path) };
      declarations.push(
        declare(name, fields, provenance, (field) => document.at([...path, field]) ?? document.at(path)),
      );
    }
  }
  return {
    declarations,
    switches,
    problems,
    files: sources.map(({ file }) => file).filter((file) => file !== ""),
  };
}

/** A declaration from its parts; also for servers that a program gives instead of a file. */
export function declare(
  name: string,
  fields: JsonObject,
  { tool, scope, tier, file, line, column }: Provenance,
  positionOf: ServerDeclaration["positionOf"] = () => undefined,
): ServerDeclaration {
  const provenance: Provenance = {
    tool,
    scope,
    tier,
    file,
    ...(line !== undefined && { line }),
    ...(column !== undefined && { column }),
  };
  return { name, fields, provenance, positionOf, problems: [] };
}
