import { expect, test } from "vitest";
import { readOn } from "../../../test/support/machine.ts";
import { claudeCode } from "./claude-code.ts";

const ROOT = "/home/me/.claude/plugins/cache/acme/tools/1.0.0";
const USER = "/home/me/.claude/settings.json";
const PROJECT = "/repo/.claude/settings.json";
const LOCAL = "/repo/.claude/settings.local.json";
const MANAGED = "/etc/claude-code/managed-settings.json";

/** Returns whether the plugin's only server is enabled, and the rule that disables it. */
async function plugin(settings: Readonly<Record<string, boolean>>, installPath = ROOT) {
  const switches = Object.entries(settings).map(([file, on]) => [
    file,
    { enabledPlugins: { "tools@acme": on } },
  ]);
  const { entries } = await readOn(claudeCode, {
    files: {
      "/home/me/.claude/plugins/installed_plugins.json": {
        version: 2,
        plugins: { "tools@acme": [{ scope: "user", installPath }] },
      },
      [`${ROOT}/.mcp.json`]: { one: { command: "node" } },
      ...Object.fromEntries(switches),
    },
  });
  return entries.map(({ name, enabled }) => [name, enabled?.value ?? true, enabled?.rule]);
}

const ON = [["plugin:tools:one", true, undefined]];
const off = (rule: string) => [["plugin:tools:one", false, rule]];
const NOT_ENABLED = off("the plugin tools@acme is not enabled in your own settings");

test.each([
  ["no settings mention it", {}, NOT_ENABLED],
  ["the user enables it", { [USER]: true }, ON],
  ["an administrator enables it", { [MANAGED]: true }, ON],
  ["only the project enables it", { [PROJECT]: true }, NOT_ENABLED],
  ["only the repository's local settings enable it", { [LOCAL]: true }, NOT_ENABLED],
])("a Claude Code plugin is enabled or disabled if %s", async (_, settings, expected) => {
  expect(await plugin(settings)).toEqual(expected);
});

test.each([
  ["the user disabled, by its settings", { [USER]: false, [PROJECT]: true }, USER],
  ["the user disabled, by its local settings", { [USER]: false, [LOCAL]: true }, USER],
  ["the user disabled, by both", { [USER]: false, [PROJECT]: true, [LOCAL]: true }, USER],
  ["an administrator disabled", { [MANAGED]: false, [USER]: true, [PROJECT]: true }, MANAGED],
])("a project cannot enable a plugin that %s", async (_, settings, file) => {
  expect(await plugin(settings)).toEqual(off(`"enabledPlugins" in ${file} disables the plugin tools@acme`));
});

test.each([PROJECT, LOCAL])("a project can disable a plugin that the user enabled, in %s", async (file) => {
  expect(await plugin({ [USER]: true, [file]: false })).toEqual(
    off(`"enabledPlugins" in ${file} disables the plugin tools@acme`),
  );
});

test.each(["plugins/tools", "./tools", ".", ""])(
  "a plugin at the relative path %j is not read because it depends on the working folder",
  async (path) => {
    expect(await plugin({ [USER]: true }, path)).toEqual([]);
  },
);
