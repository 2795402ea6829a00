/** The command lines that are compared: where each has its config, and how each is told to do the same work. */
import { fileURLToPath } from "node:url";
import { peerFile } from "./peers.mjs";

const nodeOfPeers = 24;
const isNodeNewEnough = Number(process.versions.node.split(".")[0]) >= nodeOfPeers;

/** What has to be installed. Some peers need a newer Node than Plugboard does; then all programs get that one. */
export const commandPeers = [
  "mcporter",
  "inspector",
  "opencode",
  "oh-my-pi",
  "bun",
  ...(isNodeNewEnough ? [] : ["node"]),
];

/** The Node that every program runs on which needs one, the servers included. */
export function nodeOfCommands(unavailable) {
  return isNodeNewEnough || unavailable.has("node") ? process.execPath : peerFile("node", "bin/node");
}

/**
 * `config` is the tool's own file for a person's servers, below the home, and what is in it. `start` is what stands
 * before the words of a command; `needs` is what must be installed. `before`: words of a command that its users give once,
 * and that is not timed.
 */
export function commandLines(node) {
  return {
    plugboard: {
      config: { file: ".plugboard/mcp.json", of: (mcpServers) => ({ mcpServers }) },
      start: [node, fileURLToPath(new URL("../dist/surfaces/cli/main.cjs", import.meta.url))],
      needs: [],
    },
    mcporter: {
      config: { file: ".mcporter/mcporter.json", of: (mcpServers) => ({ mcpServers }) },
      start: [node, peerFile("mcporter", "dist/cli.js")],
      needs: ["mcporter"],
    },
    inspector: {
      config: { file: ".mcp-inspector/mcp.json", of: (mcpServers) => ({ mcpServers }) },
      start: [node, peerFile("inspector", "clients/launcher/build/index.js")],
      needs: ["inspector"],
    },
    mcpdo: {
      config: { file: ".mcp-inspector/mcp.json", of: (mcpServers) => ({ mcpServers }) },
      start: [node, peerFile("inspector", "clients/mcpdo/build/mcp-bin.js")],
      needs: ["inspector"],
      before: "connect tiny",
    },
    opencode: {
      config: { file: ".config/opencode/opencode.json", of: (servers) => ({ mcp: asLocal(servers) }) },
      start: [opencodeProgram()],
      needs: ["opencode"],
    },
    omp: {
      config: { file: ".omp/agent/mcp.json", of: (mcpServers) => ({ mcpServers }) },
      start: [peerFile("bun", `bin/${programName("bun")}`), peerFile("oh-my-pi", "dist/cli.js")],
      needs: ["oh-my-pi", "bun"],
    },
  };
}

/** What is done, and by which command of whom. `expected`: words the output must contain, whoever printed it. */
export const commandTasks = [
  {
    title: "its version",
    expected: ["."],
    commands: {
      plugboard: "--version",
      mcporter: "--version",
      inspector: "--cli --version",
      opencode: "--version",
      omp: "--version",
    },
  },
  {
    title: "the servers in the config, none started",
    expected: ["tiny", "second", "third"],
    commands: { plugboard: "list", mcporter: "config list", inspector: "--cli --method servers/list" },
  },
  {
    title: "all three servers started, to see how they are",
    expected: ["tiny", "second", "third"],
    commands: { plugboard: "status", mcporter: "list", opencode: "mcp list" },
  },
  {
    title: "the tools of one server",
    expected: ["echo"],
    isCached: true,
    commands: {
      plugboard: "tools tiny",
      mcporter: "list tiny",
      inspector: "--cli --server tiny --method tools/list",
      mcpdo: "@tiny tools/list",
    },
  },
  {
    title: "a call of a tool",
    expected: ["hello"],
    isCached: true,
    commands: {
      plugboard: "call tiny echo text=hello",
      mcporter: "call tiny.echo text=hello",
      inspector: "--cli --server tiny --method tools/call --tool-name echo --tool-arg text=hello",
      mcpdo: "@tiny tools/call echo text:=hello",
    },
  },
  {
    title: "a resource read",
    expected: ["good morning"],
    isCached: true,
    commands: {
      plugboard: "read tiny note://hello",
      mcporter: "resource tiny note://hello",
      inspector: "--cli --server tiny --method resources/read --uri note://hello",
      mcpdo: "@tiny resources/read note://hello",
      omp: "read note://hello",
    },
  },
];

/** OpenCode's shape of the same servers. */
function asLocal(servers) {
  return Object.fromEntries(
    Object.entries(servers).map(([name, { command, args }]) => [
      name,
      { type: "local", command: [command, ...args] },
    ]),
  );
}

/** The package's install script only puts this program where `opencode` is looked for. */
function opencodeProgram() {
  const system = process.platform === "win32" ? "windows" : process.platform;
  return peerFile("opencode", `bin/${programName("opencode")}`, `opencode-${system}-${process.arch}`);
}

function programName(name) {
  return process.platform === "win32" ? `${name}.exe` : name;
}
