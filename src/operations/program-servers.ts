import { declare } from "../discovery/index.ts";
import {
  canonicalJson,
  isJsonObject,
  type JsonObject,
  NO_EXPANSION,
  type ServerDeclaration,
} from "../model/index.ts";

/** The program's own word. */
const PROGRAM = {
  tool: "program",
  scope: "program",
  tier: "user",
  file: "createHost({ servers })",
} as const;

/** Declares the servers that a program gives to a host. Those that were read from a file keep their source and rules. */
export function programServers(servers: object = {}): ServerDeclaration[] {
  return Object.entries(servers).map(
    ([name, server]) => declareLoaded(name, server) ?? declare(name, server as JsonObject, PROGRAM),
  );
}

/** Declares a ToolLoop server that the program built. Its values are plain text, as in ToolLoop's files. */
export function declarePlain(name: string, server: object): ServerDeclaration {
  return { ...declare(name, flat(server), PROGRAM), expansion: NO_EXPANSION };
}

/** Where a config object was read, and its content then. */
interface Loaded {
  readonly declaration: ServerDeclaration;
  readonly content: string;
  /** Its placeholders are filled in already. */
  readonly isExpanded: boolean;
}

const byObject = new WeakMap<object, Loaded>();
/** For copies that share no object with the original: `structuredClone`, a JSON round trip, new fields in a new object. */
const byLaunch = new Map<string, Loaded>();
/** Env and header values, and whether any of the user's own files has them too. */
const texts = new Map<string, "user" | "project">();

/** Remembers where a config object was read, so that handing it to a host does not make it the program's own. */
export function rememberLoaded(server: object, declaration: ServerDeclaration, isExpanded = false): void {
  const loaded = { declaration, content: canonicalJson(server), isExpanded };
  for (const part of partsOf(server)) byObject.set(part, loaded);
  const key = launchKey(server);
  const tier = declaration.provenance.tier === "project" ? "project" : "user";
  if (tier === "project" || !byLaunch.has(key)) byLaunch.set(key, loaded);
  for (const text of valuesOf(flat(server))) if (texts.get(text) !== "user") texts.set(text, tier);
}

/** Returns the declaration of a config object that was read from a file, or that starts or reaches the same. */
export function declareLoaded(name: string, server: unknown): ServerDeclaration | undefined {
  const loaded = findLoaded(server);
  return loaded && isJsonObject(server) ? redeclare(name, server, loaded) : undefined;
}

/** The same for an exact copy, or one that shares an object with the original. */
export function declareCopy(name: string, server: unknown): ServerDeclaration | undefined {
  if (!isJsonObject(server)) return undefined;
  const loaded = findShared(server) ?? byLaunch.get(launchKey(server));
  const isCopy = loaded !== undefined && (findShared(server) ?? canonicalJson(server) === loaded.content);
  return isCopy ? redeclare(name, server, loaded) : undefined;
}

function redeclare(name: string, server: JsonObject, loaded: Loaded): ServerDeclaration {
  const { declaration, content, isExpanded } = loaded;
  if (canonicalJson(server) === content)
    return name === declaration.name ? declaration : { ...declaration, name };
  const { provenance, owner } = declaration;
  const { names: _, ...rules } = declaration.expansion;
  const expansion = isExpanded ? { ...rules, syntaxes: [] } : declaration.expansion;
  return { ...declare(name, flat(server), provenance), expansion, ...(owner && { owner }) };
}

/** Was this config, or what it is a copy of, read from a repository's file? */
export function isFromProject(server: unknown): boolean {
  return findLoaded(server)?.declaration.provenance.tier === "project";
}

/** Is this text an env or header value that only a repository's file has? */
export function isProjectText(text: string): boolean {
  return texts.get(text) === "project";
}

function findLoaded(server: unknown): Loaded | undefined {
  return isJsonObject(server) ? (findShared(server) ?? byLaunch.get(launchKey(server))) : undefined;
}

/** An object that shares anything with a repository's config counts as the repository's. */
function findShared(server: JsonObject): Loaded | undefined {
  const shared = partsOf(server).flatMap((part) => byObject.get(part) ?? []);
  const isProject = ({ declaration }: Loaded): boolean => declaration.provenance.tier === "project";
  return shared.find(isProject) ?? shared[0];
}

/** The object itself, its transport, and their lists and maps. */
function partsOf(server: object): object[] {
  const { transport } = server as { transport?: unknown };
  const levels = [server, ...(isJsonObject(transport) ? [transport] : [])];
  const members = levels.flatMap((level) => Object.values<unknown>({ ...level }));
  return [
    ...levels,
    ...members.filter((member) => typeof member === "object" && member !== null),
  ] as object[];
}

/** A ToolLoop server keeps its connection under `transport`. */
function flat(server: object): JsonObject {
  const { transport, ...rest } = server as JsonObject;
  return isJsonObject(transport) ? { ...rest, ...transport } : (server as JsonObject);
}

/** What is run or reached. */
function launchKey(server: object): string {
  const { command, args = [], url } = flat(server);
  return canonicalJson(url === undefined ? { command, args } : { url });
}

function valuesOf({ env, headers }: JsonObject): string[] {
  const values = [env, headers].flatMap((map) => (isJsonObject(map) ? Object.values(map) : []));
  return values.filter((value) => typeof value === "string");
}
