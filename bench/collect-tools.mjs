/**
 * Collects the tools of published servers, which `published-servers.json` lists with their exact versions. Each server is installed and
 * asked once. Its definitions are third-party text, so they are kept in a cache outside the repository.
 * A server that does not start without a key, an address or a file gets a made-up one; `{tmp}` is its empty home.
 */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { dirname, join } from "node:path";
import { installRuntime } from "../scripts/runtimes/install-runtime.mjs";
import { installPackage } from "./install-package.mjs";
import { emptyHome } from "./scratch.mjs";

/** Not in `HOME`, because the score runs with another `HOME` and must find the same cache. */
export const cacheFolder =
  process.env.PLUGBOARD_BENCH_CACHE ?? join(userInfo().homedir, ".cache", "plugboard-bench");
const startupMs = 120_000; // some servers load for a minute on a busy machine
const published = JSON.parse(readFileSync(new URL("published-servers.json", import.meta.url), "utf8"));

/** The names of all servers, sorted. */
export const serverNames = Object.keys(published).sort();

/** Never throws. `unavailable` has the reason for each server without tools. */
export async function collectTools(announce, names = serverNames) {
  const unavailable = new Map();
  const definitions = [];
  for (const name of names) {
    try {
      definitions.push(...(await definitionsOf(name, published[name], announce)));
    } catch (error) {
      unavailable.set(name, error.message);
    }
  }
  return { definitions, unavailable };
}

/** Installs a server unless it is in the cache, and returns how to start it. */
export async function installedServer(name, announce) {
  const server = published[name];
  const target = join(cacheFolder, "servers", name);
  const failure = await installPackage(target, server, announce);
  if (failure !== undefined) throw new Error(failure);
  const node = await nodeFor(server, announce);
  return { args: [], env: {}, ...server, node, program: programOf(server, target) };
}

async function definitionsOf(name, server, announce) {
  const known = join(cacheFolder, "definitions", `${name}-${server.version}-${hashOf(server)}.json`);
  const kept = readKept(known);
  if (kept !== undefined) return kept;
  const installed = await installedServer(name, announce);
  announce(`listing the tools of ${server.package}`);
  const definitions = await listTools(name, installed);
  if (definitions.length === 0) throw new Error("it lists no tools");
  keep(known, definitions);
  return definitions;
}

/** Arguments and variables change what a server lists. */
function hashOf(server) {
  return createHash("sha256").update(JSON.stringify(server)).digest("hex").slice(0, 8);
}

function readKept(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined; // not collected yet
  }
}

/** Replaces the file at once, so that an interrupted run leaves no part of it. */
function keep(file, definitions) {
  mkdirSync(dirname(file), { recursive: true });
  const next = `${file}.${process.pid}`;
  writeFileSync(next, JSON.stringify(definitions));
  renameSync(next, file);
}

/** Returns the Node that runs the server. Some servers need a newer one than the project. */
async function nodeFor({ node: version }, announce) {
  if (version === undefined) return process.execPath;
  const { program, failure } = await installRuntime({ kind: "node", version }, announce);
  if (failure !== undefined) throw new Error(failure);
  return program;
}

/** Returns the file in the package's `bin`. */
function programOf({ package: name, bin: wanted }, target) {
  const folder = join(target, "node_modules", name);
  const { bin } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = typeof bin === "string" ? bin : bin?.[wanted];
  if (file === undefined) throw new Error(`the package has no program "${wanted}"`);
  return join(folder, file);
}

async function listTools(name, { node, program, args = [], env = {}, files = {} }) {
  const { createHost } = await import("../dist/index.js");
  const home = emptyHome();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home.folder, path)), { recursive: true });
    writeFileSync(join(home.folder, path), text);
  }
  const inHome = (text) => text.replaceAll("{tmp}", home.folder);
  const launch = {
    command: node,
    args: [program, ...args.map(inHome)],
    cwd: home.folder,
    env: {
      ...home.env,
      ...Object.fromEntries(Object.entries(env).map(([key, text]) => [key, inHome(text)])),
    },
    startupTimeout: startupMs,
  };
  const host = await createHost({
    discover: false,
    home: home.folder,
    env: home.env,
    servers: { [name]: launch },
  });
  try {
    const tools = await host.tools(name);
    return tools.map(({ name: agentName, title, description, inputSchema, server, tool }) => ({
      name: agentName,
      title,
      description,
      inputSchema,
      server,
      tool,
    }));
  } finally {
    await host.close();
    home.remove();
  }
}
