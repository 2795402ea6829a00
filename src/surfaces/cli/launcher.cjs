#!/usr/bin/env node
"use strict";
/**
 * Starts the command line. Compiling its code costs more than running it, so V8's compiled form is kept in the cache
 * folder from the first run on; CommonJS, because Node's ES loader alone costs ten milliseconds, and a kept form cannot
 * `import()`. The build fills in the names in double underscores and adds `findHome` and `isAbsolutePath`.
 */
/* global findHome, isAbsolutePath */
const { argv, env, platform, version, versions } = process;

if (argv.length === 3 && /^(?:--version|-v)$/.test(argv[2])) process.stdout.write("__VERSION__\n");
else if (process.getBuiltinModule === undefined) refuse();
else if (versions.bun !== undefined) require("./__CORE__")["__RUN__"]();
else loaderWithCache(cacheFolder())("./__CORE__")["__RUN__"]();

/** Nothing else of it could be run: every other file asks for Node's modules that way. */
function refuse() {
  process.stderr.write(`plugboard needs Node 20.19, 22.12 or newer; this is ${version}.\n`);
  process.exitCode = 1;
}

/** `undefined` if there is no home folder: then nothing is kept. */
function cacheFolder() {
  const { join } = require("node:path");
  const inside = ["code", `${version}-${process.arch}`];
  const moved = env.PLUGBOARD_HOME;
  if (moved) return isAbsolutePath(platform, moved) ? join(moved, "cache", ...inside) : undefined;
  const home = findHome(platform, env, accountHome);
  if (home === undefined) return undefined;
  const isWindows = platform === "win32";
  const own = env[isWindows ? "LOCALAPPDATA" : "XDG_CACHE_HOME"];
  const usual = { win32: ["AppData", "Local"], darwin: ["Library", "Caches"] }[platform] ?? [".cache"];
  const caches = join(isAbsolutePath(platform, own) ? own : join(home, ...usual), "plugboard");
  return join(caches, ...(isWindows ? ["cache"] : []), ...inside);
}

function accountHome() {
  try {
    return require("node:os").userInfo().homedir;
  } catch {
    return undefined; // a user id without an account
  }
}

/**
 * A `require` for the files beside this one. Their names hold a hash of their content, so a cached form never fits another.
 * Each command has a form of its own: one that was kept by another command lacks half of what this one runs.
 */
function loaderWithCache(folder) {
  const { readFileSync, mkdirSync, writeFileSync, renameSync } = require("node:fs");
  const { join, basename } = require("node:path");
  const { Script } = require("node:vm");
  const verb = /^[a-z]{1,20}$/.test(argv[2] ?? "") ? argv[2] : "other";
  const known = new Map();
  const fresh = [];

  const read = (file) => {
    try {
      return folder === undefined ? undefined : readFileSync(file);
    } catch {
      return undefined; // the first run of this version
    }
  };
  const load = (id) => {
    if (!id.startsWith("./")) return require(id);
    const file = join(__dirname, id);
    const before = known.get(file);
    if (before !== undefined) return before.exports;
    const module = { exports: {} };
    known.set(file, module);
    const cacheFile = join(folder ?? "", `${basename(file)}.${verb}.bin`);
    const cachedData = read(cacheFile);
    const script = new Script(
      `(function (exports, require, module, __filename, __dirname) {${readFileSync(file, "latin1")}\n})`,
      { filename: file, cachedData },
    );
    if (cachedData === undefined || script.cachedDataRejected) fresh.push({ script, cacheFile });
    script.runInThisContext()(module.exports, load, module, file, __dirname);
    return module.exports;
  };
  // At the end of a run the compiled form holds every function that was used. A slip of the pen (2) is no command.
  process.on("exit", (code) => {
    if (folder === undefined || fresh.length === 0 || code === 2) return;
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      for (const { script, cacheFile } of fresh) {
        const temporary = `${cacheFile}.${process.pid}`;
        writeFileSync(temporary, script.createCachedData(), { mode: 0o600 });
        renameSync(temporary, cacheFile);
      }
      clearOld(folder);
    } catch {
      /* a full or read-only disk only makes the next start slower */
    }
  });
  return load;
}

/** What another version left a month ago. */
function clearOld(folder) {
  const { existsSync, readdirSync, statSync, unlinkSync } = require("node:fs");
  const { join } = require("node:path");
  const aMonthAgo = Date.now() - 30 * 86_400_000;
  for (const name of readdirSync(folder)) {
    const isOurs = existsSync(join(__dirname, name.replace(/\.cjs\..*$/, ".cjs")));
    if (!isOurs && statSync(join(folder, name)).mtimeMs < aMonthAgo) unlinkSync(join(folder, name));
  }
}
