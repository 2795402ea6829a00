/** Installs a clean clone with one Node, an empty npm cache and an empty home, and reports every line with a warning. */
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { installPackage } from "../../bench/install-package.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
/** The npm that comes with each release line of Node. */
const NPM = { 20: "10.9.9", 22: "10.9.9", 24: "11.21.2", 26: "11.21.2" };

export async function tryInstall({ version }, program, scratch, announce) {
  const started = performance.now();
  const major = version.split(".")[0];
  const tools = join(root, "scripts", ".runtimes", `npm-${NPM[major]}`);
  const failure = await installPackage(tools, { package: "npm", version: NPM[major] }, announce);
  if (failure !== undefined) return { passed: 0, total: 1, problems: [failure] };

  const folder = join(scratch, `install-${version}`);
  const [clone, home] = [join(folder, "clone"), join(folder, "home")];
  mkdirSync(home, { recursive: true });
  execFileSync("git", ["clone", "--quiet", "--no-local", root, clone]);
  const { code, text } = await run(
    program,
    [join(tools, "node_modules", "npm", "bin", "npm-cli.js"), "ci"],
    clone,
    {
      HOME: home,
      USERPROFILE: home,
      PATH: [dirname(program), process.env.PATH].join(delimiter),
      npm_config_cache: join(folder, "cache"),
      npm_config_userconfig: join(home, ".npmrc"),
      ...registryOf(process.env),
    },
  );
  const checks = {
    "npm ci succeeds": code === 0,
    "prints no warning": !/warn/i.test(text),
    "builds the program": existsSync(join(clone, "dist", "surfaces", "cli", "main.cjs")),
  };
  const problems = Object.keys(checks).filter((check) => !checks[check]);
  if (problems.length > 0) problems.push(text.slice(-1_000));
  return {
    passed: Object.values(checks).filter(Boolean).length,
    total: Object.keys(checks).length,
    seconds: (performance.now() - started) / 1_000,
    problems,
  };
}

/** A registry and its certificates that this machine needs are not part of what is tested. */
function registryOf(env) {
  const names = Object.keys(env).filter((name) =>
    /^(npm_config_registry|NODE_EXTRA_CA_CERTS|https?_proxy)$/i.test(name),
  );
  return Object.fromEntries(names.map((name) => [name, env[name]]));
}

function run(command, args, cwd, env) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    let text = "";
    const collect = (chunk) => (text += chunk.toString());
    child.stdout.on("data", collect);
    child.stderr.on("data", collect);
    child.on("error", ({ message }) => resolve({ code: 1, text: message }));
    child.on("close", (code) => resolve({ code, text: stripVTControlCharacters(text) }));
  });
}
