import type { Command } from "../../shared/command.ts";
import { TIMEOUT_FLAG } from "../../shared/time-limit.ts";

export const generate: Command = {
  name: "generate",
  summary: "Write TypeScript types for your servers' tools, or a typed client for one server.",
  parameters: "types [server …] | client <server>",
  notes: [
    "types     a declaration file: host.call() then knows the tools, their arguments and their results",
    "client    a module with a method for each tool of a server",
    "Without server names, types contains all enabled servers. If a server fails, nothing is written.",
  ],
  words: { least: 1, most: Number.POSITIVE_INFINITY },
  flags: {
    out: { type: "string", short: "o", value: "<file>", summary: "the file to write; required" },
    check: {
      type: "boolean",
      summary: "write nothing; exit with 1 if the file does not match the servers' tools",
    },
    ...TIMEOUT_FLAG,
  },
  examples: [
    "plugboard generate types --out mcp.d.ts",
    "plugboard generate types files github --out src/mcp.d.ts --check",
    "plugboard generate client files --out src/files.ts",
  ],
  run: async (context) => (await import("../generate/generate-file.lazy.ts")).generate(context),
};
