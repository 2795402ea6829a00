/** The gateways that are compared, and how each is started with the same servers in an empty home. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describePeer, peerFile } from "../peers.mjs";

const TOKEN = "a-token-of-the-benchmark";
const fileAt = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

/**
 * `commandOf` returns the words after `node`, and where clients connect if that is known in advance. Programs that print a line when they are
 * ready have `readLine`, which returns the same.
 */
export const gateways = [
  {
    id: "hand-written",
    label: "hand-written gateway",
    commandOf: ({ servers }) => ({
      words: [fileAt("hand-written/gateway.mjs"), JSON.stringify(servers), TOKEN],
    }),
    readLine: (line) => ({ url: line, headers: { authorization: `Bearer ${TOKEN}` } }),
  },
  ...["legacy", "modern"].map((era) => ({
    id: era === "legacy" ? "plugboard" : "plugboard-modern",
    label: era === "legacy" ? "**Plugboard**" : "**Plugboard**, 2026-07-28 client",
    era,
    commandOf: ({ servers, home }) => {
      const entries = mapValues(servers, (url) => ({ type: "http", url, protocol: "legacy" }));
      write(join(home.folder, ".plugboard/mcp.json"), { mcpServers: entries });
      return {
        words: [fileAt("../dist/surfaces/cli/main.cjs"), "serve", "--http", ":0", "--alone"],
      };
    },
    readLine(line, home) {
      const token = readFileSync(join(home.folder, ".local/state/plugboard/run/token"), "utf8").trim();
      return { url: line.replace("Listening on ", ""), headers: { authorization: `Bearer ${token}` } };
    },
  })),
  {
    id: "mcp-hub",
    label: `${describePeer("mcp-hub")} (SSE)`,
    isPeer: true,
    era: "sse",
    commandOf: ({ servers, home, port }) => {
      const config = join(home.folder, "mcp-hub.json");
      write(config, { mcpServers: mapValues(servers, (url) => ({ url })) });
      return {
        words: [peerFile("mcp-hub", "dist/cli.js"), "--port", String(port), "--config", config],
        url: `http://127.0.0.1:${port}/mcp`,
      };
    },
  },
  {
    id: "mcporter",
    label: `${describePeer("mcporter")} serve`,
    isPeer: true,
    commandOf: ({ servers, home, port }) => {
      const config = join(home.folder, "mcporter.json");
      write(config, { mcpServers: mapValues(servers, (baseUrl) => ({ baseUrl, lifecycle: "keep-alive" })) });
      return {
        words: [peerFile("mcporter", "dist/cli.js"), "--config", config, "serve", "--http", String(port)],
        url: `http://127.0.0.1:${port}/mcp`,
      };
    },
  },
  {
    id: "supergateway",
    label: `${describePeer("supergateway")} --stateful`,
    isPeer: true,
    isForOne: true,
    commandOf: ({ home, port, node }) => ({
      words: [
        peerFile("supergateway", "dist/index.js"),
        "--stdio",
        `${node} ${fileAt("servers/tiny.mjs")}`,
        "--outputTransport",
        "streamableHttp",
        "--stateful",
        "--logLevel",
        "none",
        "--port",
        String(port),
      ],
      cwd: home.folder,
      url: `http://127.0.0.1:${port}/mcp`,
    }),
  },
];

function mapValues(record, change) {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}

function write(file, value) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(value));
}

/** Returns a port that nothing listens on. */
export function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
