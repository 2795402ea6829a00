/** A temporary HOME with five JSON config files, for the cold start. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { emptyHome } from "./scratch.mjs";

/** The command of the tiny server. The home declares it as `tiny` in the user tier, so it needs no approval. */
export const tinyServer = [process.execPath, fileURLToPath(new URL("servers/tiny.mjs", import.meta.url))];

/** Writes the files. `warm` and `cold` are environments with their own state and cache; `forget` empties the cold one. */
export function configuredHome() {
  const home = emptyHome();
  const project = join(home.folder, "project");
  const files = [
    writeConfig(join(home.folder, ".plugboard", "mcp.json"), {
      tiny: { command: tinyServer[0], args: tinyServer.slice(1) },
      notes: { command: "notes-server", args: ["--stdio"], env: { NOTES_FOLDER: "notes" } },
      tracker: { type: "http", url: "https://tracker.example/mcp" },
    }),
    writeConfig(join(project, ".plugboard", "mcp.json"), {
      files: { command: "npx", args: ["-y", "files-server", "."] },
      database: { command: "database-server", env: { DATABASE_URL: "postgres://localhost/app" } },
    }),
    writeConfig(join(project, "mcp.json"), {
      search: { command: "search-server" },
      browser: { command: "npx", args: ["-y", "browser-server"], cwd: "." },
    }),
    writeConfig(join(project, ".mcp.json"), {
      memory: { command: "npx", args: ["-y", "memory-server"] },
      docs: { type: "http", url: "https://docs.example/mcp", headers: { "X-Team": "docs" } },
      search: { command: "other-search-server" },
    }),
    writeConfig(join(home.folder, "more-servers.json"), {
      mail: { command: "mail-server", args: ["--read-only"] },
      calendar: { command: "calendar-server" },
    }),
  ];
  mkdirSync(join(project, ".git")); // the search for project files ends here
  const env = { ...home.env, PLUGBOARD_MCP_CONFIG_PATH: files.at(-1) };
  const cold = join(home.folder, "cold");
  return {
    project,
    files,
    warm: { ...env, ...statePlaces(join(home.folder, "warm")) },
    cold: { ...env, ...statePlaces(cold) },
    forget: () => rmSync(cold, { recursive: true, force: true }),
    remove: home.remove,
  };
}

function writeConfig(file, mcpServers) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ mcpServers }, undefined, 2));
  return file;
}

function statePlaces(folder) {
  return { XDG_STATE_HOME: join(folder, "state"), XDG_CACHE_HOME: join(folder, "cache") };
}
