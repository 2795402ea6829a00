import { createHash } from "node:crypto";
import { posix, win32 } from "node:path";
import { isJsonObject, type JsonObject } from "../model/index.ts";
import type { Clock, Files } from "../platform/index.ts";
import { npmCacheFolder } from "./install/npm-cache.ts";
import { inspectNpxTree, readJson } from "./install/npx-tree.ts";

export interface NpxCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** The complete environment of npx. It determines the cache folder. */
  readonly env: Readonly<Record<string, string>>;
  readonly platform: string;
  /** Accept whatever version is installed, as npx does without a network. Otherwise the command must name an exact version. */
  readonly anyVersion?: boolean;
}

/** The program that npx would start, to run without npx. */
export interface NpxProgram {
  readonly command: "node";
  readonly args: readonly string[];
  /** Name and version of the package. */
  readonly packageId: string;
  /** npx prepends this folder to PATH, because a package may start programs of its dependencies. */
  readonly binFolder: string;
  /** The installed packages, as npm lists them. */
  readonly packages: JsonObject;
}

/** A package of a registry, with its version, tag or range. */
const PACKAGE = /^((?:@[a-z0-9~-][\w.~-]*\/)?[a-z0-9~-][\w.~-]*)(?:@([\w.+^~<>=*| -]+))?$/;
const EXACT = /^\d+\.\d+\.\d+(?:[-+][\w.+-]+)?$/;
const HARMLESS_FLAGS = new Set([
  "-y",
  "--yes",
  "-q",
  "--quiet",
  "-s",
  "--silent",
  "--prefer-offline",
  "--offline",
]);
const NODE_SCRIPT = /^#!\s*(?:\/usr\/bin\/env\s+(?:-S\s+)?|\/\S*\/)node\s*$/;

/**
 * Returns the program that `npx <package>@<exact version>` would start, if npm's cache contains that version completely.
 * Otherwise returns `undefined` and the caller starts npx. npx would run the same files: the folder name is the hash of the
 * requested package, the installed name and an exact version must match, and the program must be inside the package.
 */
export async function findNpxProgram(
  npx: NpxCommand,
  { files, clock }: { readonly files: Files; readonly clock: Pick<Clock, "now"> },
): Promise<NpxProgram | undefined> {
  const { platform } = npx;
  const path = platform === "win32" ? win32 : posix;
  const asked = parseNpx(npx);
  const cache = asked && (await npmCacheFolder(npx.env, { platform, path, files }));
  if (asked === undefined || cache === undefined) return undefined;
  const { spec, name } = asked;
  const hash = createHash("sha512").update(spec).digest("hex").slice(0, 16);
  const folder = path.join(cache, "_npx", hash);
  const own = path.join(folder, "node_modules", ...name.split("/"));
  const tree = await inspectNpxTree(folder, { files, path, now: clock.now() });
  if (tree.kind !== "complete") return undefined;
  const version = asked.version ?? member(tree.packages, `node_modules/${name}`)?.["version"];
  if (typeof version !== "string" || !EXACT.test(version)) return undefined;
  if (member(tree.packages, `node_modules/${name}`)?.["version"] !== version) return undefined;
  const manifest = await readJson(files, path.join(own, "package.json"));
  if (manifest?.["name"] !== name || manifest["version"] !== version) return undefined;
  const bin = programIn(manifest["bin"], name, asked.bin);
  if (bin === undefined) return undefined;
  const [program, home] = await Promise.all(
    [path.join(own, bin), own].map((place) => files.realPath(place).catch(() => undefined)),
  );
  if (program === undefined || home === undefined || !program.startsWith(home + path.sep)) return undefined;
  if (!(await isNodeScript(files, program))) return undefined;
  return {
    command: "node",
    args: [program, ...asked.rest],
    packageId: `${name}@${version}`,
    binFolder: path.join(folder, "node_modules", ".bin"),
    packages: tree.packages,
  };
}

interface Asked {
  readonly spec: string;
  readonly name: string;
  /** `undefined` for a tag or range. */
  readonly version: string | undefined;
  readonly bin: string | undefined;
  readonly rest: readonly string[];
}

function parseNpx({ command, args, anyVersion = false }: NpxCommand): Asked | undefined {
  if (!/^(?:.*[\\/])?npx(?:\.cmd)?$/.test(command)) return undefined;
  let given: string | undefined;
  let index = 0;
  for (; index < args.length; index += 1) {
    const word = args[index] ?? "";
    const [, inline] = /^--package=(.+)$/.exec(word) ?? [];
    if (HARMLESS_FLAGS.has(word)) continue;
    if (inline === undefined && word !== "-p" && word !== "--package") break;
    if (given !== undefined) return undefined; // the folder for several packages has another name
    if (inline === undefined) index += 1;
    given = inline ?? args[index] ?? "";
  }
  if (args[index] === "--") index += 1;
  const first = args[index];
  if (first === undefined || first.startsWith("-")) return undefined;
  const spec = given ?? first;
  const [, name, wanted = ""] = PACKAGE.exec(spec) ?? [];
  const version = EXACT.test(wanted) ? wanted : undefined;
  if (name === undefined || (version === undefined && !anyVersion)) return undefined;
  return { spec, name, version, bin: given === undefined ? undefined : first, rest: args.slice(index + 1) };
}

/** Follows npm's rule: the only program, or else the one with the name of the package. */
function programIn(bin: unknown, name: string, wanted: string | undefined): string | undefined {
  const short = name.replace(/^@[^/]+\//, "");
  const programs = new Map<string, unknown>(
    typeof bin === "string" ? [[short, bin]] : Object.entries(isJsonObject(bin) ? bin : {}),
  );
  const different = new Set(programs.values());
  const [only] = different;
  const found =
    wanted !== undefined ? programs.get(wanted) : different.size === 1 ? only : programs.get(short);
  return typeof found === "string" && found !== "" ? found : undefined;
}

async function isNodeScript(files: Files, program: string): Promise<boolean> {
  try {
    const bytes = (await files.read(program)) ?? new Uint8Array(0);
    const [line = ""] = new TextDecoder().decode(bytes.subarray(0, 256)).split(/\r?\n/);
    return NODE_SCRIPT.test(line);
  } catch {
    return false;
  }
}

function member(object: JsonObject, key: string): JsonObject | undefined {
  const value = Object.hasOwn(object, key) ? object[key] : undefined;
  return isJsonObject(value) ? value : undefined;
}
