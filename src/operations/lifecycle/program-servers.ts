import { declareServer } from "../../discovery/index.ts";
import {
  canonicalJson,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  NO_EXPANSION,
  type ServerDeclaration,
  type Tier,
} from "../../model/index.ts";
import { declareInProcess } from "./in-process-servers.ts";
import { objectsIn, rememberTexts } from "./loaded-texts.ts";

/** The source of servers that the program defines itself. */
const PROGRAM = {
  tool: "program",
  scope: "program",
  tier: "user",
  file: "createHost({ servers })",
} as const;

/** Declares the servers that a program passes to a host. Servers that were loaded from a file keep their source and rules. */
export function programServers(servers: object = {}): ServerDeclaration[] {
  return Object.entries(servers).map(([name, server]: [string, unknown]) => {
    if (typeof server !== "object" || server === null || Array.isArray(server)) return declareWrong(name);
    return (
      declareInProcess(name, server, PROGRAM) ??
      declareLoaded(name, server) ??
      declareServer(name, server as JsonObject, PROGRAM)
    );
  });
}

/** Declares an entry that is not an object. It owns its name, and affects no other server. */
function declareWrong(name: string): ServerDeclaration {
  const { file } = PROGRAM;
  const message = `${file}: server "${name}" must be an object`;
  const problem = { code: "entry-shape", severity: "error", message, server: name, file } as const;
  const transport = { kind: "in-process", reason: "it is not an object" } as const;
  return { ...declareServer(name, {}, PROGRAM), transport, problems: [problem] };
}

/** Declares a ToolLoop server that the program built. Its values are plain text, as in ToolLoop's files. */
export function declarePlain(name: string, server: object): ServerDeclaration {
  return { ...declareServer(name, flat(server), PROGRAM), expansion: NO_EXPANSION };
}

/** The source of a loaded config object, and its content at that time. */
interface Loaded {
  readonly declaration: ServerDeclaration;
  readonly content: string;
  /** Whether its placeholders are already resolved. */
  readonly isExpanded: boolean;
}

const byObject = new WeakMap<object, Loaded>();
/** By command line or URL, for copies that share no object with the original: `structuredClone`, a JSON round trip, new fields. */
const byLaunch = new Map<string, Loaded>();

/** Remembers the source of a loaded config object, so that it does not count as the program's own when passed to a host. */
export function rememberLoaded(server: object, declaration: ServerDeclaration, isExpanded = false): void {
  const loaded = { declaration, content: canonicalJson(server), isExpanded };
  for (const part of objectsIn(server)) byObject.set(part, loaded);
  const launch = launchText(server);
  const tier = declaration.provenance.tier === "project" ? "project" : "user";
  if (tier === "project" || !byLaunch.has(launch)) byLaunch.set(launch, loaded);
  rememberTexts(server, tier);
}

/** Returns the declaration of a config object that was loaded from a file, or that has the same command line or URL. */
export function declareLoaded(name: string, server: unknown): ServerDeclaration | undefined {
  const loaded = findLoaded(server);
  return loaded && isJsonObject(server) ? redeclare(name, server, loaded) : undefined;
}

/** Like `declareLoaded`, but only for an exact copy or an object that shares a part with the original. */
export function declareCopy(name: string, server: unknown): ServerDeclaration | undefined {
  if (!isJsonObject(server)) return undefined;
  const loaded = findLoaded(server);
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
  return { ...declareServer(name, flat(server), provenance), expansion, ...(owner && { owner }) };
}

/** Returns the tier of the file that an object was loaded from. Does not recognize copies. */
export function tierOfPart(part: object): Tier | undefined {
  return byObject.get(part)?.declaration.provenance.tier;
}

function findLoaded(server: unknown): Loaded | undefined {
  return isJsonObject(server) ? (findShared(server) ?? findLaunch(server)) : undefined;
}

/** An object that shares a part with a project's config counts as the project's. */
function findShared(server: JsonObject): Loaded | undefined {
  const shared = [...objectsIn(server)].flatMap((part) => byObject.get(part) ?? []);
  return shared.find(isProject) ?? shared[0];
}

/** A command line that contains a project's command line counts as the project's: the program may have wrapped or extended it. */
function findLaunch(server: JsonObject): Loaded | undefined {
  const launch = launchText(server);
  const same = byLaunch.get(launch);
  if (same !== undefined) return same;
  for (const [known, loaded] of byLaunch)
    if (isProject(loaded) && isDistinctive(loaded) && ` ${launch} `.includes(` ${known} `)) return loaded;
  return undefined;
}

/** Returns whether a command line is specific enough to recognize. `npx -y` alone is not. */
function isDistinctive({ declaration: { fields } }: Loaded): boolean {
  const { args, url } = flat(fields);
  const isWord = (argument: JsonValue): boolean => typeof argument === "string" && !argument.startsWith("-");
  return url !== undefined || (Array.isArray(args) && args.some(isWord));
}

function isProject({ declaration }: Loaded): boolean {
  return declaration.provenance.tier === "project";
}

/** Flattens a ToolLoop server, which has its connection settings under `transport`. */
function flat(server: object): JsonObject {
  const { transport, ...rest } = server as JsonObject;
  return isJsonObject(transport) ? { ...rest, ...transport } : (server as JsonObject);
}

/** Returns the command line or URL as one line. */
function launchText(server: object): string {
  const { command, args, url } = flat(server);
  const words = url === undefined ? [command, ...(Array.isArray(args) ? args : [args])] : [url];
  return words.flatMap((word) => (word === undefined || word === null ? [] : [launchWord(word)])).join(" ");
}

function launchWord(word: JsonValue): string {
  const text = (typeof word === "string" ? word : canonicalJson(word)).trim();
  return /^https?:/i.test(text) && URL.canParse(text) ? new URL(text).href : text;
}
