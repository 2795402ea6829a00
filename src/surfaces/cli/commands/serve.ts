import type { Command } from "../../shared/command.ts";

export const serve: Command = {
  name: "serve",
  summary: "Offer all your servers as one MCP server to another program.",
  parameters: "--stdio | --http [host]:port | --config <file>",
  notes: [
    "--stdio   one client, on standard input and output",
    "--http    any number of clients on this machine, with a bearer token",
    "--config  a gateway for a team, with the settings in its gateway.jsonc: see docs/team.md",
    "HTTP endpoints: /mcp (all servers), /mcp/s/<server> (one server, unchanged), /mcp/b/<bundle> (the tools of a bundle)",
    "Clients of every protocol version can use servers of every protocol version.",
  ],
  words: { least: 0, most: 0 },
  flags: {
    stdio: { type: "boolean", summary: "serve one client on standard input and output" },
    http: { type: "string", value: "<[host]:port>", summary: "listen for clients on this machine" },
    server: { type: "list", value: "<names>", summary: "offer only these servers, separated by commas" },
    bundle: { type: "list", value: "<ids>", summary: "offer only the tools in these bundles" },
    "read-only": {
      type: "boolean",
      summary: "offer only tools that trusted servers declare as read-only",
    },
    names: {
      type: "string",
      value: "prefixed|plain",
      summary: "how tools are named: server_tool, or as the server names them",
    },
    mode: {
      type: "string",
      value: "direct|meta|auto",
      summary: "offer all tools, or three that find and call them; auto decides by their size",
    },
    "max-tools": {
      type: "string",
      value: "<number>",
      summary: "with --mode auto: the most tools to offer directly",
    },
    alone: { type: "boolean", summary: "run the servers in this process, without the daemon" },
    "migrate-only": {
      type: "boolean",
      summary: "update the tables of a team's database to this version, and exit",
    },
    "rotate-key": {
      type: "boolean",
      summary: "re-encrypt all values in a team's database with the first key, and exit",
    },
    config: {
      type: "string",
      value: "<file>",
      summary: "serve a team: people, their rights, servers and addresses are in this file",
    },
    public: { type: "boolean", summary: "with --config: let other machines connect" },
    "behind-proxy": {
      type: "boolean",
      summary: "with --config: a proxy in front of the gateway provides TLS",
    },
  },
  examples: [
    "plugboard serve --stdio",
    "plugboard serve --http :7420",
    "plugboard serve --stdio --server files,github --read-only",
    "plugboard serve --config gateway.jsonc --public",
  ],
  run: async (context) => (await import("./serve.lazy.ts")).serve(context),
};
