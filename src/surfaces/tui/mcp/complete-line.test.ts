import { expect, test } from "vitest";
import type { Host } from "../../../index.ts";
import type { CompletionSources } from "../../shared/completion/complete-words.ts";
import type { Dialogs } from "../dialogs.ts";
import { completeLine } from "./complete-line.ts";
import { createMcpCommands } from "./mcp-commands.ts";

// Commands are not run here.
const nothing = {} as unknown;
const vocabulary = createMcpCommands({
  host: nothing as Host,
  dialogs: nothing as Dialogs,
  changes: { look: async () => () => {}, connect: () => {}, tells: () => false, settled: async () => {} },
  cwd: "/",
  openWizard: async () => {},
});
const known: CompletionSources = {
  servers: () => [
    { name: "files", note: "connected", tool: "plugboard" },
    { name: "my server", note: "idle", tool: "cursor" },
  ],
  tools: async (server) => (server === "files" ? ["read", "write"] : []),
  toolArguments: async () => [{ text: "path=" }, { text: "mode=fast" }, { text: "mode=slow" }],
  resources: async () => ["note://welcome"],
  prompts: async () => [{ name: "summarize", keys: ["topic"] }],
  fields: async () => ["command", "env", "env.TOKEN"],
  profiles: () => ["frontend"],
  secrets: async () => ["github"],
};

async function complete(line: string): Promise<{ from?: number; texts: string[] }> {
  const found = await completeLine(line, line.length, vocabulary, known);
  return { ...(found && { from: found.from }), texts: found?.items.map(({ text }) => text) ?? [] };
}

test.each([
  ["/m", 0, ["/mcp"]],
  ["/mcp rel", 5, ["reload"]],
  ["/mcp re", 5, ["read", "resources", "remove", "reload", "reconnect", "reauth"]],
  ["/mcp help rec", 10, ["reconnect"]],
  ["/mcp test ", 10, ["demo", "files", "'my server'"]],
  ["/mcp test fi", 10, ["files"]],
  ["/mcp rm my", 8, ["'my server'"]],
  ["/mcp rm 'my s", 8, ["'my server'"]],
  ["/mcp add x --sc", 11, ["--scope"]],
  ["/mcp add x --scope ", 19, ["project", "user"]],
  ["/mcp add x --transport s", 23, ["sse"]],
  ["/mcp call files ", 16, ["read", "write"]],
  ["/mcp call files re", 16, ["read"]],
  ["/mcp call files read ", 21, ["mode=fast", "mode=slow", "path="]],
  ["/mcp call files read path=x m", 28, ["mode=fast", "mode=slow"]],
  ["/mcp call files read mode=fast ", 31, ["path="]],
  ["/mcp import ", 12, ["cursor"]],
  ["/mcp import cursor ", 19, ["'my server'"]],
  ["/mcp export cu", 12, ["cursor"]],
  ["/mcp export cursor ", 19, ["files", "'my server'"]],
  ["/mcp sync --to cursor,vs", 15, ["'cursor,vscode'"]],
  ["/mcp read files ", 16, ["'note://welcome'"]],
  ["/mcp prompt files ", 18, ["summarize"]],
  ["/mcp prompt files summarize ", 28, ["topic="]],
  ["/mcp secret ", 12, ["set", "get", "list", "rm"]],
  ["/mcp secret get ", 16, ["github"]],
  ["/mcp pins ", 10, ["diff", "accept", "files", "'my server'"]],
  ["/mcp auth ", 10, ["status", "use"]],
  ["/mcp set ", 9, ["files"]],
  ["/mcp set files ti", 15, ["timeout="]],
  ["/mcp set files en", 15, ["enabled=", "env.TOKEN=", "envFile="]],
  ["/mcp unset files ", 17, ["command", "env", "env.TOKEN"]],
])("%s", async (line, from, texts) => {
  const found = await complete(line);
  expect(found.from).toBe(from);
  expect(found.texts.toSorted()).toEqual(texts.toSorted());
});

test.each([
  "",
  "hello",
  "/mcpx ",
  "/mcp nothing ",
  "/mcp add x -- np",
  "/mcp test files ",
  "/mcp add x --url ",
])("%j has no completions", async (line) => {
  expect((await complete(line)).texts).toEqual([]);
});

test("/mcp has every command of the command line except those that need their own process", async () => {
  const { texts } = await complete("/mcp ");
  expect(texts).toEqual(
    expect.arrayContaining(
      "add list remove enable disable use test reauth unauth reconnect reload status tools resources prompts trust untrust doctor logs help pins bundles explain login logout auth read prompt call secret search set unset outdated upgrade".split(
        " ",
      ),
    ),
  );
  expect((await complete("/mcp status --")).texts).toEqual(["--json", "--help"]);
});
