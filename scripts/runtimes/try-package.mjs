/** Tests the packed package in an empty folder with an empty home and one runtime. */
import { spawn } from "node:child_process";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { startOnTerminal } from "../../bench/on-terminal.mjs";

const LONGEST_RUN_MS = 300_000;
const here = fileURLToPath(new URL(".", import.meta.url));

/** Installs the package, runs all checks and counts those that pass. */
export async function tryPackage(runtime, program, tarball, scratch) {
  const started = performance.now();
  const place = makePlace(runtime, program, scratch);
  const problems = [];
  const checks = Object.entries(checksOf(runtime, program, place, tarball));
  for (const [what, check] of checks) {
    try {
      await check();
    } catch (error) {
      problems.push(`${what}: ${error.message}`);
      if (what === "installs") break; // all other checks would fail too
    }
  }
  const isInstalled = !problems.some((problem) => problem.startsWith("installs"));
  return {
    passed: isInstalled ? checks.length - problems.length : 0,
    total: checks.length,
    seconds: (performance.now() - started) / 1_000,
    problems,
  };
}

function makePlace({ kind, version }, program, scratch) {
  const folder = join(scratch, `${kind}-${version}`);
  const [home, app] = [join(folder, "home"), join(folder, "app")];
  for (const made of [home, app]) mkdirSync(made, { recursive: true });
  writeFileSync(join(app, "package.json"), '{ "private": true }\n');
  for (const file of ["small-server.mjs", "use-library.mjs"]) copyFileSync(join(here, file), join(app, file));
  const env = {
    HOME: home,
    USERPROFILE: home,
    PATH: [dirname(program), process.env.PATH].join(delimiter),
    PLUGBOARD_KEYCHAIN: "off", // do not use the developer's own keychain
    ...(process.env.SystemRoot && { SystemRoot: process.env.SystemRoot }),
  };
  return { folder, home, app, env };
}

/** The checks, in this order, because each uses the results of the one before. */
function checksOf({ kind }, program, { folder, home, app, env }, tarball) {
  const launcher = join(app, "node_modules", "plugboard", "dist", "surfaces", "cli", "main.cjs");
  const linked = join(app, "node_modules", ".bin", "plugboard");
  // With Node, the command's first line finds the runtime, as for users. Other runtimes are passed explicitly.
  const usesShebang = kind === "node" && process.platform !== "win32";
  const start = kind === "deno" ? ["run", "--allow-all"] : [];
  const cli = (...words) => (usesShebang ? run(linked, words) : run(program, [...start, launcher, ...words]));
  const run = (command, words) => runToEnd(command, words, { cwd: app, env });
  const { version } = JSON.parse(readFileSync(join(here, "..", "..", "package.json"), "utf8"));
  const add = async () => expect(await cli("call", "small", "add", "a=1", "b=2"), "The sum is 3.");
  return {
    installs: async () => {
      const words = ["install", "--no-audit", "--no-fund", "--loglevel=error", tarball];
      // npm uses this machine's certificates and proxies to reach the registry.
      const cache = join(here, "..", ".runtimes", "cache");
      const network = { npm_config_userconfig: join(homedir(), ".npmrc"), npm_config_cache: cache };
      await runToEnd("npm", words, {
        mayWarn: true,
        cwd: app,
        env: { ...process.env, ...env, ...network },
        shell: process.platform === "win32",
      });
      expect(readdirSync(join(app, "node_modules", ".bin")).join(), "plugboard");
    },
    "plugboard --version": async () => expect(await cli("--version"), version),
    "plugboard list, without servers": async () => expect(await cli("list"), "No MCP servers are configured"),
    "plugboard add": async () => {
      const added = await cli(
        "add",
        "small",
        "--scope",
        "user",
        "--",
        program,
        ...start,
        join(app, "small-server.mjs"),
      );
      expect(added, 'Added server "small"');
      expect(readFileSync(join(home, ".plugboard", "mcp.json"), "utf8"), "small-server.mjs");
    },
    "plugboard list": async () => expect(await cli("list"), "small"),
    "plugboard test": async () => expect(await cli("test", "small"), "Successfully connected"),
    "plugboard tools": async () => expect(await cli("tools", "small"), "add(a, b)"),
    "plugboard call": add,
    "plugboard call, from the cache": add,
    "plugboard on a terminal": async () => {
      const terminal = startOnTerminal([...start, launcher], {
        cwd: app,
        env: { ...env, NO_COLOR: "1" },
        program,
      });
      try {
        await terminal.seen("Type a message, or /help for help");
        await terminal.seen("1 connected");
        terminal.type("/mcp list\r");
        await terminal.seen("stdio  connected");
      } finally {
        await terminal.leave();
      }
      const { code } = await terminal.ended;
      if (code !== 0) throw new Error(`exited with ${code}`);
    },
    "every entry point, a tool of a local and of a remote server": async () => {
      const found = JSON.parse(await run(program, [...start, "use-library.mjs"]));
      const broken = Object.entries(found.entryPoints).filter(([, names]) => names === 0);
      if (broken.length > 0 || Object.keys(found.entryPoints).length < 9)
        throw new Error(`entry points: ${JSON.stringify(found.entryPoints)}`);
      delete found.entryPoints;
      expect(JSON.stringify(found), JSON.stringify(EXPECTED));
    },
    "require, from CommonJS": async () => {
      writeFileSync(join(app, "a.cjs"), 'process.stdout.write(typeof require("plugboard").createHost)');
      expect(await runToEnd(program, [...start, "a.cjs"], { cwd: app, env, mayWarn: true }), "function");
    },
    "the keychain's native part": async () => {
      writeFileSync(
        join(app, "b.cjs"),
        'process.stdout.write(typeof require("@napi-rs/keyring").AsyncEntry)',
      );
      expect(await run(program, [...start, "b.cjs"]), "function");
    },
    "nothing left running": () => expectNobodyIn(folder),
  };
}

const EXPECTED = {
  servers: ["program", "address", "broken"],
  program: ["add"],
  sum: "The sum is 3.",
  greeting: "hello",
  failure: "CONNECT_EXITED",
  states: ["connected", "connected", "failed"],
};

function expect(text, part) {
  if (!text.includes(part))
    throw new Error(`no ${JSON.stringify(part)} in ${JSON.stringify(text.slice(0, 500))}`);
}

/** Runs a command. Warnings count as failures. */
function runToEnd(command, words, { mayWarn = false, ...options }) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, words, {
      ...options,
      stdio: ["ignore", "pipe", "pipe"],
      timeout: LONGEST_RUN_MS,
    });
    let [out, complaints] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (text) => (out += text));
    child.stderr.setEncoding("utf8").on("data", (text) => (complaints += text));
    child.once("error", reject);
    child.once("close", (code, signal) => {
      if (code === 0 && (mayWarn || !/warning/i.test(complaints))) resolve(out);
      else reject(new Error(`exited with ${signal ?? code}: ${(complaints || out).slice(0, 500)}`));
    });
  });
}

/** Finds leftover processes on Linux: they have this folder in their environment. */
async function expectNobodyIn(folder) {
  const left = () =>
    (process.platform === "linux" ? readdirSync("/proc") : [])
      .filter((pid) => /^\d+$/.test(pid) && textOf(`/proc/${pid}/environ`).includes(folder))
      .map((pid) => textOf(`/proc/${pid}/cmdline`).replaceAll("\0", " "));
  for (let turn = 0; turn < 50 && left().length > 0; turn += 1) await delay(100);
  if (left().length > 0) throw new Error(left().join("; "));
}

function textOf(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return ""; // the process ended, or belongs to another user
  }
}
