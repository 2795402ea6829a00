/**
 * Collects the tools of published servers. Each server is installed at an exact version in
 * `bench/.servers/` (ignored by git) and lists its tools once. The lists are kept there for the next run.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { installPackage } from "./install-package.mjs";
import { publishedServers } from "./published-servers.mjs";
import { emptyHome } from "./scratch.mjs";

const folder = fileURLToPath(new URL(".servers", import.meta.url));
const require = createRequire(import.meta.url);

/** Never throws. `unavailable` has the reason for each server without tools. */
export async function collectTools(announce) {
  const unavailable = new Map();
  const definitions = [];
  for (const [id, server] of Object.entries(publishedServers)) {
    const known = join(folder, `${id}-${server.version ?? "installed"}.json`);
    try {
      definitions.push(...(readKept(known) ?? (await askServer(id, server, known, announce))));
    } catch (error) {
      unavailable.set(id, error.message);
    }
  }
  return { definitions, unavailable };
}

function readKept(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined; // not collected yet, or the run was interrupted
  }
}

async function askServer(id, server, keepIn, announce) {
  const target = join(folder, id);
  if (!server.isOurs) {
    const failure = await installPackage(target, server, announce);
    if (failure !== undefined) throw new Error(failure);
  }
  announce(`listing the tools of ${server.package}`);
  const definitions = await listTools(id, { ...server, program: programOf(server, target) });
  if (definitions.length === 0) throw new Error("it lists no tools");
  mkdirSync(folder, { recursive: true });
  writeFileSync(keepIn, JSON.stringify(definitions));
  return definitions;
}

/** Returns the file in the package's `bin`, which this Node runs. */
function programOf({ package: name, isOurs, bin: wanted }, target) {
  const manifest = isOurs
    ? require.resolve(`${name}/package.json`)
    : join(target, "node_modules", name, "package.json");
  const { bin } = JSON.parse(readFileSync(manifest, "utf8"));
  const file = typeof bin === "string" ? bin : (bin[wanted] ?? Object.values(bin)[0]);
  return join(dirname(manifest), file);
}

async function listTools(id, { program, args = [], env = {} }) {
  const { createHost } = await import("../dist/index.js");
  const home = emptyHome();
  const launch = {
    command: process.execPath,
    args: [program, ...args],
    cwd: home.folder,
    env: { ...home.env, ...env },
    startupTimeout: 60_000,
  };
  const host = await createHost({
    discover: false,
    home: home.folder,
    env: home.env,
    servers: { [id]: launch },
  });
  try {
    const tools = await host.tools(id);
    return tools.map(({ name, title, description, inputSchema, server, tool }) => ({
      name,
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
