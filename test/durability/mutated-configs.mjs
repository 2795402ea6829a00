/**
 * Reads mutated config files as a host would, and reports its progress: one line of JSON per round.
 * Usage: mutated-configs.mjs <folder of fixtures> <how many files> <seed>
 */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { createHost } from "../../dist/index.js";
import { createRandom, mutate } from "./mutate.mjs";

const [folder, count, seed] = process.argv.slice(2);
const HOME = "/HOME";
const PROJECT = "/PROJECT";
const PROTOTYPES = [Object, Array, Function, String, Map, Promise].map(({ prototype }) => prototype);
const untouched = PROTOTYPES.map((prototype) => Reflect.ownKeys(prototype).map(String).join());
let warnings = [];
process.on("warning", (warning) => warnings.push(warning));

const fixtures = readdirSync(folder, { recursive: true })
  .map((name) => join(folder, name))
  .filter((file) => statSync(file).isFile())
  .map((file) => ({ path: `/${relative(folder, file).replaceAll("\\", "/")}`, bytes: filledIn(file) }));
const usual = fixtures.filter(({ path }) => path.startsWith(`${HOME}/`) || path.startsWith(`${PROJECT}/`));
/** Broken files sometimes replace the project's own. */
const broken = fixtures
  .filter(({ path }) => path.startsWith("/BROKEN/"))
  .map(({ path, bytes }) => ({ path: path.replace(/^\/BROKEN\/[^/]+/, PROJECT), bytes }));
const own = usual.find(({ path }) => path === `${PROJECT}/mcp.json`).bytes;
const files = [
  ...usual,
  { path: `${HOME}/.plugboard/mcp.json`, bytes: own },
  { path: `${PROJECT}/.plugboard/mcp.json`, bytes: own },
];

let done = 0;
for (let round = 0; done < Number(count); round += 1) {
  const random = createRandom(Number(seed) * 1_000_003 + round);
  const mutated = files.map(({ path, bytes }) => {
    const others = broken.filter((file) => file.path === path);
    const other = random() < 0.3 ? others[Math.floor(random() * others.length)] : undefined;
    return { path, bytes: mutate((other ?? { bytes }).bytes, random) };
  });
  done += mutated.length;
  const fault = await faultWith(mutated);
  say({ done, failures: fault === undefined ? [] : await culprits(mutated, `round ${round}: ${fault}`) });
}

/** Returns what went wrong, if anything. */
async function faultWith(tree) {
  try {
    await readAll(new Map(tree.map(({ path, bytes }) => [path, bytes])));
    await new Promise((resolve) => setImmediate(resolve)); // warnings are announced late
  } catch (error) {
    return error.stack;
  }
  const polluted = PROTOTYPES.some(
    (prototype, index) => Reflect.ownKeys(prototype).map(String).join() !== untouched[index],
  );
  if (polluted || {}.polluted !== undefined) return "a prototype is polluted";
  if (warnings.length === 0) return undefined;
  const [{ stack }] = warnings;
  warnings = [];
  return `a warning: ${stack}`;
}

/** Returns the files that cause it on their own. */
async function culprits(tree, fault) {
  const found = [];
  for (const file of tree) {
    const alone = await faultWith([file]);
    if (alone !== undefined)
      found.push(`${file.path}: ${alone}\n${JSON.stringify(file.bytes.toString("latin1"))}`);
  }
  return found.length > 0 ? found : [fault];
}

/** Runs everything that a user can do without starting a server. */
async function readAll(disk) {
  const host = await createHost({
    cwd: PROJECT,
    home: HOME,
    env: { HOME },
    ports: { files: inMemory(disk) },
  });
  const servers = host.servers({ all: true });
  const names = new Set(servers.map(({ name }) => name));
  const answers = [servers, host.snapshot(), host.doctor.diagnose()];
  for (const name of names) answers.push(await host.config.explain(name), host.approvals.request(name));
  JSON.stringify(answers);
  await host.close();
}

function inMemory(disk) {
  const folders = new Map([[`${PROJECT}/.git`, new Set()]]);
  for (const path of disk.keys()) {
    const parts = path.split("/");
    for (let end = parts.length - 1; end > 0; end -= 1) {
      const parent = parts.slice(0, end).join("/");
      folders.set(parent, (folders.get(parent) ?? new Set()).add(parts[end]));
    }
  }
  const refuse = async () => {
    throw new Error("nothing is written here");
  };
  return {
    read: async (path) => disk.get(path),
    present: async (paths) => new Set(paths.filter((path) => disk.has(path) || folders.has(path))),
    kind: async (path) => (disk.has(path) ? "file" : folders.has(path) ? "folder" : undefined),
    realPath: async (path) => path,
    list: async (path) => [...(folders.get(path) ?? [])],
    stamp: async () => undefined,
    mode: async () => 0o600,
    makeFolder: refuse,
    create: refuse,
    replace: refuse,
    rename: refuse,
    remove: refuse,
  };
}

function filledIn(file) {
  const bytes = readFileSync(file);
  const text = bytes.toString("utf8");
  if (!Buffer.from(text).equals(bytes)) return bytes;
  return Buffer.from(text.replaceAll("__HOME__", HOME).replaceAll("__PROJECT__", PROJECT));
}

function say(news) {
  process.stdout.write(`${JSON.stringify(news)}\n`);
}
