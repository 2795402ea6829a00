import { expect, test } from "vitest";
import { runCli } from "../support/run-cli.ts";
import { createSandbox } from "../support/sandbox.ts";

const repeat = (count: number, make: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => make(index)).join("");
const spaces = " ".repeat(200_000);
const laughs = repeat(
  9,
  (index) => `${"bcdefghij"[index]}: &${"bcdefghij"[index]} [${`*${"abcdefghi"[index]},`.repeat(9)}]\n`,
);

/** Files of a project without approval: they are only read. */
test.each<readonly [string, string, string]>([
  ["JSON without end", ".mcp.json", "[".repeat(1_000_000)],
  ["JSON nested as deep as it goes", ".mcp.json", `${'{"a":'.repeat(400_000)}1${"}".repeat(400_000)}`],
  ["five thousand servers", ".mcp.json", `{"mcpServers":{${repeat(5_000, (at) => `"s${at}":{},`)}}}`],
  ["one name ten thousand times", ".mcp.json", `{"mcpServers":{${'"s":{},'.repeat(10_000)}}}`],
  [
    "keys of the language",
    "mcp.json",
    '{"__proto__":{"polluted":1},"mcpServers":{"__proto__":{"command":"x"},"constructor":{"command":"x"}}}',
  ],
  [
    "TOML with a very wide list",
    ".codex/config.toml",
    `a = [\n[${spaces}1 ],\n[1${spaces}],\n]\n[mcp_servers.x]\ncommand = "x"\n`,
  ],
  ["TOML with escapes in a name", ".codex/config.toml", '[mcp_servers."a\\U0001F600\\e"]\ncommand = 1\n'],
  ["TOML nested as deep as it goes", ".codex/config.toml", `[${"a.".repeat(50_000)}b]\nc = 1\n`],
  [
    "TOML with a number too large",
    ".codex/config.toml",
    '[mcp_servers.x]\ncommand = "x"\nstartup_timeout_ms = 99999999999999999999\n',
  ],
  ["YAML nested as deep as it goes", ".continue/mcpServers/x.yaml", `${"- ".repeat(50_000)}x\n`],
  ["YAML brackets without end", ".continue/mcpServers/x.yaml", `a: ${"[".repeat(50_000)}`],
  ["YAML that laughs a billion times", ".continue/mcpServers/x.yaml", `a: &a [x,x,x,x,x,x,x,x,x]\n${laughs}`],
  ["YAML inside itself", ".continue/mcpServers/x.yaml", "a: &a\n  b: *a\n"],
  [
    "YAML with lists for keys",
    ".continue/mcpServers/x.yaml",
    "? [a]\n: 1\n? {b: 1}\n: 2\n__proto__: {polluted: 1}\n",
  ],
  ["twenty thousand YAML keys", ".continue/mcpServers/x.yaml", repeat(20_000, (at) => `k${at}: 1\n`)],
])("a hostile file with %s is read or refused, and does not affect others", async (_, file, text) => {
  await using sandbox = await createSandbox();
  await sandbox.writeHome(".plugboard/mcp.json", { mcpServers: { mine: { command: "node" } } });
  await sandbox.writeProject(file, text);
  const { code, stderr, json } = await runCli(["list", "--json"], { sandbox });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(json()).toMatchObject({
    servers: expect.arrayContaining([expect.objectContaining({ name: "mine" })]),
  });
});
