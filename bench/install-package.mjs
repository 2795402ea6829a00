/** Installs one package at an exact version into its own folder, without running install scripts. */
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Never throws. Returns the reason if the installation failed. Calls `announce` before it installs. */
export async function installPackage(target, { package: name, version }, announce) {
  if (installedVersion(target, name) === version) return undefined;
  announce(`installing ${name}@${version}`);
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  writeFileSync(join(target, "package.json"), '{ "private": true }\n');
  const options = [
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--save-exact",
    "--loglevel=error",
    "--fetch-retry-mintimeout=500",
    "--fetch-retry-maxtimeout=2000",
  ];
  const failure = await runNpm(["install", ...options, `${name}@${version}`], target);
  if (failure !== undefined) return `npm install failed: ${failure}`;
  const installed = installedVersion(target, name);
  return installed === version ? undefined : `npm installed ${installed ?? "nothing"} instead of ${version}`;
}

function installedVersion(target, name) {
  try {
    const { version } = JSON.parse(readFileSync(join(target, "node_modules", name, "package.json"), "utf8"));
    return version.replace(/^v/, ""); // some packages of Node have a `v`
  } catch {
    return undefined; // not or only partly installed: the installation starts with an empty folder
  }
}

/** Runs the npm that started this script, or the one on `PATH`. Returns npm's first error if it fails. */
function runNpm(args, cwd) {
  const npm = process.env.npm_execpath;
  const [command, first] = npm?.endsWith(".js") ? [process.execPath, [npm]] : ["npm", []];
  return new Promise((resolve) => {
    const child = spawn(command, [...first, ...args], {
      cwd,
      stdio: ["ignore", "ignore", "pipe"],
      timeout: 600_000,
    });
    let complaint = "";
    child.stderr.setEncoding("utf8").on("data", (chunk) => {
      complaint += chunk;
    });
    child.once("error", (error) => resolve(error.message));
    child.once("close", (code, signal) =>
      resolve(code === 0 ? undefined : (firstError(complaint) ?? `${signal ?? code}`)),
    );
  });
}

/** Returns `npm error code E…`, because other lines contain local paths. */
function firstError(complaint) {
  return /^npm error code (\S+)/m.exec(complaint)?.[1];
}
