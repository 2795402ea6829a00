/** The command lines that are compared: their config files, and their commands for the same tasks. */
import { fileURLToPath } from "node:url";
import { peerFile } from "./peers.mjs";

const nodeOfPeers = 24;
const isNodeNewEnough = Number(process.versions.node.split(".")[0]) >= nodeOfPeers;

/** Packages to install. Some peers need a newer Node than Plugboard; then all programs use that one. */
export const commandPeers = [
  "mcporter",
  "inspector",
  "opencode",
  "oh-my-pi",
  "bun",
  ...(isNodeNewEnough ? [] : ["node"]),
];

/** Returns the Node for all programs that need one, including the servers. */
export function nodeOfCommands(unavailable) {
  return isNodeNewEnough || unavailable.has("node") ? process.execPath : peerFile("node", "bin/node");
}

/**
 * `config` is the tool's user-level file in the home folder, and its content. `start` is the command
 * before the arguments. `needs` lists the packages. `before` is a command that users run once,
 * which is not timed.
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

/** The tasks, and each tool's command for them. `expected`: text that every output must contain. */
export const commandTasks = [
  {
    title: "show the version",
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
    title: "list the servers in the config, without starting them",
    expected: ["tiny", "second", "third"],
    commands: { plugboard: "list", mcporter: "config list", inspector: "--cli --method servers/list" },
  },
  {
    title: "start all three servers and show their status",
    expected: ["tiny", "second", "third"],
    commands: { plugboard: "status", mcporter: "list", opencode: "mcp list" },
  },
  {
    title: "list the tools of one server",
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
    title: "call a tool",
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
    title: "read a resource",
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

/** The same servers in OpenCode's format. */
function asLocal(servers) {
  return Object.fromEntries(
    Object.entries(servers).map(([name, { command, args }]) => [
      name,
      { type: "local", command: [command, ...args] },
    ]),
  );
}

/** Returns the program's path, because the package's install script, which would link it, is not run. */
function opencodeProgram() {
  const system = process.platform === "win32" ? "windows" : process.platform;
  return peerFile("opencode", `bin/${programName("opencode")}`, `opencode-${system}-${process.arch}`);
}

function programName(name) {
  return process.platform === "win32" ? `${name}.exe` : name;
}
