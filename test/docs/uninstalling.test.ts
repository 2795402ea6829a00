import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { findOwnPaths } from "../../src/state/index.ts";

const page = readFileSync("docs/command-line.md", "utf8");
const section = page.slice(page.indexOf("## Uninstalling"), page.indexOf("## Output"));

test.each([
  ["linux", "~", {}],
  ["darwin", "~", {}],
  ["win32", "%USERPROFILE%", { LOCALAPPDATA: "C:\\local" }],
])("the page lists Plugboard's folders on %s", (platform, home, variables) => {
  const { state, cache, userConfig } = findOwnPaths({ platform, home, cwd: "/", variables });
  const folders = [state, cache, userConfig.replace(/[\\/]mcp\.json$/, "")];
  const shown = folders.map((folder) => `\`${folder.replace("C:\\local", "%LOCALAPPDATA%")}\``);
  expect(shown.filter((folder) => !section.includes(folder))).toEqual([]);
});

test("the page lists the content of these folders", () => {
  const layout = readFileSync("src/state/own-layout.ts", "utf8");
  const folders = [...layout.matchAll(/\[\/\^([a-z]+)\$\//g)].map(([, name = ""]) => name);
  expect(folders).toEqual([
    "sessions",
    "pins",
    "artifacts",
    "tasks",
    "conversations",
    "logs",
    "vault",
    "catalogs",
    "packages",
    "audit",
    "team",
    "run",
    "mcpb",
    "sandbox",
    "registry",
    "code",
    "runners",
  ]);
  const names = [
    ...folders,
    "approvals.json",
    "allowed-calls.json",
    "eras.json",
    "tool-names.json",
    "usage.json",
    "advisories.json",
    "swept",
    "mcp.json",
    "settings.json",
  ];
  expect(names.filter((name) => !section.includes(`\`${name}\``))).toEqual([]);
});
