/**
 * The libraries Plugboard is compared with. Each is installed at an exact version into a folder of its own below
 * `bench/.peers/` (ignored by git), so one that cannot be installed does not stop the others.
 */
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL(".peers", import.meta.url));

const peers = {
  "sdk-v1": { package: "@modelcontextprotocol/sdk", version: "1.32.2" },
  "sdk-v2": { package: "@modelcontextprotocol/client", version: "2.4.0" },
  "ai-sdk": { package: "@ai-sdk/mcp", version: "2.0.93" },
  mcporter: { package: "mcporter", version: "0.12.3" },
};

/** Installs what is missing. Never throws; gives the reason for each peer that could not be installed. */
export async function installPeers(announce) {
  const failures = new Map();
  for (const [id, peer] of Object.entries(peers)) {
    if (installedVersion(id, peer) === peer.version) continue;
    announce(`installing ${peer.package}@${peer.version}`);
    const failure = await install(id, peer);
    if (failure !== undefined) failures.set(id, failure);
  }
  return failures;
}

/** How a table names a peer: package and version. */
export function describePeer(id) {
  return `${peers[id].package} ${peers[id].version}`;
}

function installedVersion(id, peer) {
  try {
    return JSON.parse(readFileSync(join(folder, id, "node_modules", peer.package, "package.json"), "utf8"))
      .version;
  } catch {
    return undefined; // not installed yet, or half: the install that follows starts from an empty folder
  }
}

async function install(id, peer) {
  const target = join(folder, id);
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
  const failure = await runNpm(["install", ...options, `${peer.package}@${peer.version}`], target);
  if (failure !== undefined) return `npm install failed: ${failure}`;
  const version = installedVersion(id, peer);
  return version === peer.version
    ? undefined
    : `npm installed ${version ?? "nothing"} instead of ${peer.version}`;
}

/** Runs the npm that started us, or the one on the path; gives npm's first complaint when it fails. */
function runNpm(args, cwd) {
  const npm = process.env.npm_execpath;
  const [command, first] = npm?.endsWith(".js") ? [process.execPath, [npm]] : ["npm", []];
  return new Promise((resolve) => {
    const child = spawn(command, [...first, ...args], {
      cwd,
      stdio: ["ignore", "ignore", "pipe"],
      timeout: 180_000,
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

/** `npm error code E…` is the shortest honest line; the rest names folders of this machine. */
function firstError(complaint) {
  return /^npm error code (\S+)/m.exec(complaint)?.[1];
}
