/**
 * The programs that Plugboard is compared with. Each is installed at an exact version into its own folder in
 * `bench/.peers/` (ignored by git), so that a failed installation does not affect the others.
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { installPackage } from "./install-package.mjs";

const folder = fileURLToPath(new URL(".peers", import.meta.url));
const system = process.platform === "win32" ? "windows" : process.platform;

const peers = {
  "sdk-v1": { package: "@modelcontextprotocol/sdk", version: "1.32.2" },
  "sdk-v2": { package: "@modelcontextprotocol/client", version: "2.4.0" },
  "ai-sdk": { package: "@ai-sdk/mcp", version: "2.0.93" },
  mcporter: { package: "mcporter", version: "0.12.3" },
  "mcp-use": { package: "mcp-use", version: "1.34.6" },
  "mcp-hub": { package: "mcp-hub", version: "4.2.1" },
  supergateway: { package: "supergateway", version: "4.0.0" },
  inspector: { package: "@modelcontextprotocol/inspector", version: "2.12.0" },
  opencode: { package: "opencode-ai", version: "1.18.33" },
  "oh-my-pi": { package: "@oh-my-pi/pi-coding-agent", version: "18.2.3" },
  node: { package: `node-${system === "windows" ? "win" : system}-${process.arch}`, version: "24.21.0" },
  bun: { package: `@oven/bun-${system}-${process.arch === "arm64" ? "aarch64" : "x64"}`, version: "1.4.4" },
};

/** The peers that are libraries, in the order of the tables. */
export const libraryPeers = ["sdk-v1", "sdk-v2", "ai-sdk", "mcporter", "mcp-use"];

/** Installs missing peers. Never throws. Returns the reason for each failure. */
export async function installPeers(ids, announce) {
  const failures = new Map();
  for (const id of ids) {
    const failure = await installPackage(join(folder, id), peers[id], announce);
    if (failure !== undefined) failures.set(id, failure);
  }
  return failures;
}

/** Returns a peer's name for tables: package and version. */
export function describePeer(id) {
  return `${peers[id].package} ${peers[id].version}`;
}

/** Returns the path of a file of an installed peer, or of a package installed beside it. */
export function peerFile(id, path, packageName = peers[id].package) {
  return join(folder, id, "node_modules", packageName, path);
}
