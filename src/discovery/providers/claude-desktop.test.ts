import { expect, test } from "vitest";
import { onlyEntry, readEntry, readOn } from "../../../test/support/machine.ts";
import { claudeDesktop } from "./claude-desktop.ts";

const APP = "/home/me/.config/Claude";
const FOLDER = `${APP}/Claude Extensions/acme.files`;
const SETTINGS = `${APP}/Claude Extensions Settings/acme.files.json`;
const MANIFEST = {
  manifest_version: "0.3",
  name: "files",
  display_name: "Files",
  server: {
    type: "node",
    entry_point: "index.js",
    mcp_config: {
      command: "node",
      args: ["${__dirname}/index.js", "${user_config.folder}"],
      env: { KEY: "${user_config.key}" },
    },
  },
  user_config: { folder: { type: "directory", required: true }, key: { type: "string", sensitive: true } },
};
const extension = async (files: Record<string, unknown>, manifest: object = MANIFEST) =>
  onlyEntry(await readOn(claudeDesktop, { files: { [`${FOLDER}/manifest.json`]: manifest, ...files } }));

test("an installed extension is a server with its folder and inputs", async () => {
  const { name, fields, expansion, inputs, enabled } = await extension({});
  expect({ name, fields, inputs, enabled, names: expansion.names }).toEqual({
    name: "files",
    fields: {
      type: "stdio",
      label: "Files",
      command: "node",
      args: ["${__dirname}/index.js", "${user_config.folder}"],
      env: { KEY: "${user_config.key}" },
    },
    inputs: [
      { id: "folder", required: true },
      { id: "key", secret: true },
    ],
    enabled: undefined,
    names: {
      __dirname: FOLDER,
      HOME: "/home/me",
      DESKTOP: "/home/me/Desktop",
      DOCUMENTS: "/home/me/Documents",
      DOWNLOADS: "/home/me/Downloads",
      pathSeparator: "/",
      "/": "/",
    },
  });
});

test.each([
  ["disabled by its settings", { isEnabled: false }, { value: false, rule: `"isEnabled" in ${SETTINGS}` }],
  ["enabled by its settings", { isEnabled: true }, undefined],
  ["enabled if its setting is invalid", { isEnabled: "no" }, undefined],
])("an extension is %s", async (_, settings, expected) => {
  expect((await extension({ [SETTINGS]: settings })).enabled).toEqual(expected);
});

test("only isEnabled is read from an extension's settings", async () => {
  const { source, ...entry } = await extension({
    [SETTINGS]: { isEnabled: true, userConfig: { key: "hunter2" } },
  });
  expect(source.file).toBe(`${FOLDER}/manifest.json`);
  expect(JSON.stringify(entry)).not.toContain("hunter2");
});

test("an extension for other platforms is disabled", async () => {
  const { enabled } = await extension({}, { ...MANIFEST, compatibility: { platforms: ["darwin"] } });
  expect(enabled).toEqual({
    value: false,
    rule: '"compatibility.platforms" in its manifest does not include linux',
  });
});

test.each([
  ["a url is not supported", { url: "https://one.test" }, ["unsupported-transport"]],
  [
    "a url with a type is not supported either",
    { type: "http", url: "https://one.test" },
    ["unsupported-transport"],
  ],
  ["an empty entry has no command", {}, ["missing-command"]],
])("in Claude Desktop's own file, %s", async (_, server, problems) => {
  const file = `${APP}/claude_desktop_config.json`;
  const { owner, expansion } = await readEntry(claudeDesktop, file, { mcpServers: { one: server } });
  expect([owner, expansion.syntaxes]).toEqual([{ valid: false, problems }, []]);
});
