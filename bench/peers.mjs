/**
 * The libraries Plugboard is compared with. Each is installed at an exact version into a folder of its own below
 * `bench/.peers/` (ignored by git), so one that cannot be installed does not stop the others.
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { installPackage } from "./install-package.mjs";

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
    const failure = await installPackage(join(folder, id), peer, announce);
    if (failure !== undefined) failures.set(id, failure);
  }
  return failures;
}

/** How a table names a peer: package and version. */
export function describePeer(id) {
  return `${peers[id].package} ${peers[id].version}`;
}
