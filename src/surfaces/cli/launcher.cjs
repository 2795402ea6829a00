#!/usr/bin/env node
"use strict";
/**
 * Starts the command line. Compiling its code takes longer than running it, so the first run stores V8's compiled code
 * in the cache folder. The file is CommonJS because Node's ES module loader alone takes ten milliseconds, and cached
 * code cannot `import()`. The build fills in the names in double underscores and adds `findHome` and `isAbsolutePath`.
 */
/* global findHome, isAbsolutePath */
const { argv, env, platform, version, versions } = process;

if (argv.length === 3 && /^(?:--version|-v)$/.test(argv[2])) process.stdout.write("__VERSION__\n");
else if (process.getBuiltinModule === undefined) refuse();
else if (versions.bun !== undefined) require("./__CORE__").runProcess();
else loaderWithCache(cacheFolder())("./__CORE__").runProcess();

/** All other files use `process.getBuiltinModule`, so older versions of Node cannot run them. */
function refuse() {
  process.stderr.write(`plugboard needs Node 20.19, 22.12 or newer; this is ${version}.\n`);
  process.exitCode = 1;
}

/** Returns `undefined` if the command must not write to the cache, or if there is no home folder. */
function cacheFolder() {
  if (argv.includes("uninstall")) return undefined; // uninstall removes this folder
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
 * Returns a `require` for the files beside this one. File names contain a content hash, so cached code never matches
 * other content. Each command has its own cache file, because V8 caches only the functions that a run used.
 */
function loaderWithCache(wanted) {
  const { readFileSync } = require("node:fs");
  const { join, basename } = require("node:path");
  const { Script } = require("node:vm");
  const folder = wanted !== undefined && isTrustedFolder(wanted) ? wanted : undefined;
  const verb = /^[a-z]{1,20}$/.test(argv[2] ?? "") ? argv[2] : "other";
  const known = new Map();
  const fresh = [];

  const load = (id) => {
    if (!id.startsWith("./")) return require(id);
    const file = join(__dirname, id);
    const before = known.get(file);
    if (before !== undefined) return before.exports;
    const module = { exports: {} };
    known.set(file, module);
    const cacheFile = join(folder ?? "", `${basename(file)}.${verb}.bin`);
    const cachedData = folder === undefined ? undefined : readCached(cacheFile);
    const script = new Script(
      `(function (exports, require, module, __filename, __dirname) {${readFileSync(file, "latin1")}\n})`,
      { filename: file, cachedData },
    );
    if (cachedData === undefined || script.cachedDataRejected) fresh.push({ script, cacheFile });
    script.runInThisContext()(module.exports, load, module, file, __dirname);
    return module.exports;
  };
  // At exit the compiled code contains every function that was used. Usage errors (2) are not cached.
  process.on("exit", (code) => {
    if (folder === undefined || fresh.length === 0 || code === 2) return;
    try {
      for (const { script, cacheFile } of fresh) writeCached(folder, cacheFile, script.createCachedData());
      clearOld(folder);
    } catch {
      /* with a full or read-only disk, the next start is only slower */
    }
  });
  return load;
}

/**
 * Reads cached code. V8 runs it without checks, so the file must belong to this user and contain two equal copies of
 * the code. The second copy is the checksum: comparing it takes a tenth of the time of loading Node's crypto. Any other
 * file is deleted.
 */
function readCached(file) {
  const { closeSync, constants, fstatSync, openSync, readSync, unlinkSync } = require("node:fs");
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants; // two are undefined on Windows, which `|` treats as 0
  const largest = 64 * 1024 * 1024;
  let opened;
  try {
    opened = openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    const facts = fstatSync(opened);
    const { size } = facts;
    if (facts.isFile() && isOurs(facts) && size > 0 && size <= largest) {
      const bytes = Buffer.allocUnsafeSlow(size);
      const half = size / 2;
      const isWhole = readSync(opened, bytes, 0, size, 0) === size;
      if (isWhole && bytes.subarray(0, half).equals(bytes.subarray(half))) return bytes.subarray(0, half);
    }
  } catch (error) {
    if (error.code === "ENOENT") return undefined; // the first run of this version
  } finally {
    if (opened !== undefined) closeSync(opened);
  }
  try {
    unlinkSync(file);
  } catch {
    /* the file is not used either way */
  }
  return undefined;
}

/** Writes a temporary file and renames it, so that no other process reads a partial file. */
function writeCached(folder, file, compiled) {
  const { renameSync, unlinkSync, writeFileSync } = require("node:fs");
  makeFolder(folder);
  if (!isTrustedFolder(folder)) return;
  const temporary = `${file}.${process.pid}`;
  try {
    writeFileSync(temporary, Buffer.concat([compiled, compiled]), { flag: "wx", mode: 0o600 });
    renameSync(temporary, file);
  } catch (error) {
    unlinkSync(temporary);
    throw error;
  }
}

/** Creates a folder and its parents. Node's `recursive` never ends in `/proc` and below an automounter's mount point. */
function makeFolder(folder) {
  const { existsSync, mkdirSync } = require("node:fs");
  if (existsSync(folder)) return;
  makeFolder(require("node:path").dirname(folder));
  mkdirSync(folder, { mode: 0o700 });
}

/** Returns whether only this user and root can write to the folder or replace it. The folder may not exist yet. */
function isTrustedFolder(folder) {
  if (process.getuid === undefined) return true; // Windows protects the user's folders by itself
  const { lstatSync, realpathSync } = require("node:fs");
  const { dirname } = require("node:path");
  const look = (path) => lstatSync(path, { throwIfNoEntry: false });
  const isSafeBelow = (path) => {
    for (let above = path; ; above = dirname(above)) {
      const facts = look(above);
      if (facts?.isSymbolicLink() && !isSafeBelow(realpathSync.native(above))) return false;
      if (facts !== undefined && !isSafeAbove(facts)) return false;
      if (above === dirname(above)) return true;
    }
  };
  try {
    if (!isSafeBelow(dirname(folder))) return false;
    const facts = look(folder);
    if (facts !== undefined && !(facts.isDirectory() && isOurs(facts))) discard(folder, facts);
    return true;
  } catch {
    return false; // the folder cannot be inspected or removed
  }
}

/** Deletes the folder. Its parent is trusted, so no other user can replace it with a link meanwhile. */
function discard(folder, facts) {
  const { readdirSync, rmdirSync, unlinkSync } = require("node:fs");
  const { join } = require("node:path");
  if (!facts.isDirectory()) return unlinkSync(folder);
  for (const name of readdirSync(folder)) unlinkSync(join(folder, name));
  rmdirSync(folder);
}

/** Returns whether only this user can write to the file or folder. */
function isOurs({ uid, mode }) {
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
}

/**
 * Returns whether only this user and root can rename entries of the folder. A group with the user's own id has no other
 * members.
 */
function isSafeAbove(facts) {
  const { uid, gid, mode } = facts;
  if (uid !== process.getuid() && uid !== 0) return false;
  const isSticky = (mode & 0o1000) !== 0;
  return (
    facts.isSymbolicLink() || isSticky || ((mode & 0o002) === 0 && ((mode & 0o020) === 0 || gid === uid))
  );
}

/** Deletes cache files of other versions that are older than a month. */
function clearOld(folder) {
  const { existsSync, readdirSync, statSync, unlinkSync } = require("node:fs");
  const { join } = require("node:path");
  const aMonthAgo = Date.now() - 30 * 86_400_000;
  for (const name of readdirSync(folder)) {
    const isOurs = existsSync(join(__dirname, name.replace(/\.cjs\..*$/, ".cjs")));
    if (!isOurs && statSync(join(folder, name)).mtimeMs < aMonthAgo) unlinkSync(join(folder, name));
  }
}
