/** A home with many servers, for part `scale`: half are stdio servers, half are HTTP servers. */
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { lettersOf, manyTools } from "./many-tools.mjs";
import { emptyHome } from "./scratch.mjs";

const [listing, listingHttp] = ["listing.sh", "listing-http.mjs"].map((name) =>
  fileURLToPath(new URL(`servers/${name}`, import.meta.url)),
);
const TOOLS_PER_SERVER = 100 / 3; // 10,000 tools for 300 servers
/** User-level files of eight tools, whose servers need no approval. */
const PLACES = [
  [".plugboard", "mcp.json"],
  [".cursor", "mcp.json"],
  [".claude.json"],
  [".lmstudio", "mcp.json"],
  [".factory", "mcp.json"],
  [".boltai", "mcp.json"],
  [".junie", "mcp", "mcp.json"],
  [".kiro", "settings", "mcp.json"],
];

/** Writes the servers and the files that declare them, and starts the HTTP servers. `end` stops them. */
export async function scaleHome(servers) {
  const home = emptyHome();
  const lists = Array.from({ length: servers }, (_, index) => writeList(home.folder, index));
  const listening = await startListening(lists.filter((_, index) => index % 2 === 1));
  const entries = lists.map((list, index) => [
    `store-${lettersOf(index)}`,
    index % 2 === 1 ? { type: "http", url: listening.addresses[(index - 1) / 2] } : stdioServer(list),
  ]);
  const files = PLACES.map((place, turn) => {
    const mine = entries.filter((_, index) => Math.floor(index / 2) % PLACES.length === turn);
    return writeConfig(join(home.folder, ...place), mine);
  });
  const project = join(home.folder, "project");
  mkdirSync(join(project, ".git"), { recursive: true });
  const facts = {
    servers,
    tools: firstTool(servers),
    files,
    changing: { ...changedEntry(files[0]), tools: firstTool(1) },
    /** The declarations, for a client without config files. */
    entries: Object.fromEntries(entries),
  };
  const factsFile = join(home.folder, "facts.json");
  writeFileSync(factsFile, JSON.stringify(facts));
  return {
    ...facts,
    facts: factsFile,
    project,
    env: home.env,
    end() {
      listening.end();
      home.remove();
    },
  };
}

const firstTool = (server) => Math.round(server * TOOLS_PER_SERVER);

function writeList(folder, index) {
  const tools = manyTools(firstTool(index + 1) - firstTool(index), firstTool(index));
  const file = join(folder, "lists", `${index}.json`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(tools));
  return file;
}

function stdioServer(list) {
  const script = `${list}.sh`;
  writeFileSync(script, `tools='${readFileSync(list, "utf8")}'\n. '${listing}'\n`);
  return { command: "sh", args: [script] };
}

async function startListening(lists) {
  const program = spawn(process.execPath, [listingHttp, ...lists], { stdio: ["pipe", "pipe", "inherit"] });
  let text = "";
  for await (const chunk of program.stdout.setEncoding("utf8")) {
    text += chunk;
    if (text.endsWith("\n")) break;
  }
  return {
    addresses: JSON.parse(text),
    end: () => program.stdin.end(),
  };
}

/** Returns a file whose first server has a different launch, which makes it a different server. */
function changedEntry(file) {
  const before = readFileSync(file, "utf8");
  const { mcpServers } = JSON.parse(before);
  const [name] = Object.keys(mcpServers);
  mcpServers[name].args.push("--changed");
  return { name, file, before, after: JSON.stringify({ mcpServers }, undefined, 2) };
}

function writeConfig(file, entries) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ mcpServers: Object.fromEntries(entries) }, undefined, 2));
  return file;
}
