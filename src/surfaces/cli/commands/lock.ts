import type { Command } from "../../shared/command.ts";
import { SCOPE_FLAG } from "../../shared/commands/scope.ts";

const load = () => import("./lock-servers.lazy.ts");

export const lock: Command = {
  name: "lock",
  summary: "Write mcp.lock.json: the launch, package and tools of every server.",
  parameters: "",
  notes: ["Starts and contacts nothing. Tools are locked if their list is cached."],
  words: { least: 0, most: 0 },
  flags: { scope: SCOPE_FLAG },
  examples: ["plugboard lock", "plugboard lock --scope user"],
  run: async (context) => (await load()).lockServers(context),
};

export const verify: Command = {
  name: "verify",
  summary: "Compare the servers with mcp.lock.json, and exit with 1 if they differ.",
  parameters: "",
  notes: ["Starts and contacts nothing."],
  words: { least: 0, most: 0 },
  flags: {
    scope: SCOPE_FLAG,
    sarif: { type: "boolean", summary: "print the differences in SARIF 2.1.0" },
  },
  examples: ["plugboard verify", "plugboard verify --scope user --sarif"],
  run: async (context) => (await load()).verifyServers(context),
};
