import { describe, expect, test } from "vitest";
import { readEntry, readOn } from "../../../test/support/machine.ts";
import { omp } from "./omp.ts";
import { pisces } from "./pisces.ts";
import { xcsh } from "./xcsh.ts";

const OFF = { command: "server", enabled: false };
const ON = { command: "server" };

describe.each([
  [omp, ".omp"],
  [xcsh, ".xcsh"],
  [pisces, ".pisces"],
])("the lists of $id", (provider, folder) => {
  const user = `/home/me/${folder}/agent/mcp.json`;
  const project = `/repo/${folder}/mcp.json`;

  test.each([
    ["disabledServers disables", { disabledServers: ["one"] }, ON, false, "disabledServers"],
    ["enabledServers enables", { enabledServers: ["one"] }, OFF, true, "enabledServers"],
    [
      "disabledServers overrides enabledServers for",
      { disabledServers: ["one"], enabledServers: ["one"] },
      ON,
      false,
      "disabledServers",
    ],
  ])("%s a project's server", async (_, lists, server, value, key) => {
    const files = { [user]: { mcpServers: {}, ...lists }, [project]: { mcpServers: { one: server } } };
    const { entries, switches } = await readOn(provider, { files });
    expect(entries.map(({ enabled }) => enabled)).toEqual([{ value, rule: `"${key}" in ${user}` }]);
    expect(switches).toBeUndefined();
  });

  test("in a project's file are ignored", async () => {
    const entry = await readEntry(provider, project, { mcpServers: { one: ON }, disabledServers: ["one"] });
    expect(entry.enabled).toBeUndefined();
  });

  test("that are not lists of names are ignored", async () => {
    const entry = await readEntry(provider, user, {
      mcpServers: { one: ON },
      disabledServers: "one",
      enabledServers: [1, null],
    });
    expect(entry.enabled).toBeUndefined();
  });
});

describe("oh-my-pi", () => {
  test.each([
    [{ enabled: "false", timeout: "5000" }, { enabled: false, timeout: 5000 }, []],
    [{ enabled: "1" }, { enabled: true }, []],
    [{ enabled: "maybe" }, { enabled: "maybe" }, ["bad-field-type"]],
    [{ timeout: "5s" }, { timeout: "5s" }, ["bad-field-type"]],
  ])("reads %j as %j", async (given, understood, problems) => {
    const entry = await readEntry(omp, "/repo/.omp/mcp.json", {
      mcpServers: { one: { command: "server", ...given } },
    });
    expect(entry.fields).toMatchObject(understood);
    expect(entry.owner).toEqual({ valid: true, problems });
  });

  test("would reject a file with comments, which Plugboard still reads", async () => {
    const text = '{ "mcpServers": { "one": { "command": "server" } } } // mine';
    const { entries, complaints } = await readOn(omp, { files: { "/repo/.omp/mcp.json": text } });
    expect(entries).toHaveLength(1);
    expect(complaints?.map(({ code }) => code)).toEqual(["owner-refuses"]);
  });

  test("reads the project before the user, and the actual user file before the documented one", async () => {
    const file = { mcpServers: { one: ON } };
    const paths = [
      "/repo/.omp/mcp.json",
      "/repo/.omp/.mcp.json",
      "/home/me/.omp/agent/mcp.json",
      "/home/me/.omp/agent/.mcp.json",
      "/home/me/.omp/mcp.json",
    ];
    const { entries } = await readOn(omp, { files: Object.fromEntries(paths.map((path) => [path, file])) });
    expect(entries.map(({ source }) => source.file)).toEqual(paths);
  });
});

describe.each([
  [omp, ".omp"],
  [xcsh, ".xcsh"],
  [pisces, ".pisces"],
])("project files of $id", (provider, folder) => {
  const near = { mcpServers: { near: ON } };
  const far = { mcpServers: { far: ON } };
  const git = { "/repo/.git/HEAD": "", "/.git-less": "" };

  test.each(["mcp.json", ".mcp.json"])(
    "are found from a subfolder up to the repository root: %s",
    async (name) => {
      const files = { ...git, [`/repo/${folder}/${name}`]: far, [`/${folder}/${name}`]: near };
      const { entries } = await readOn(provider, { cwd: "/repo/a/b", files });
      expect(entries.map(({ source }) => source.file)).toEqual([`/repo/${folder}/${name}`]);
    },
  );

  test("are the nearest ones", async () => {
    const files = { ...git, [`/repo/${folder}/mcp.json`]: far, [`/repo/a/${folder}/mcp.json`]: near };
    const { entries } = await readOn(provider, { cwd: "/repo/a/b", files });
    expect(entries.map(({ name }) => name)).toEqual(["near"]);
  });

  test("outside a repository are only those of the working folder", async () => {
    const files = { [`/checkout/${folder}/mcp.json`]: far };
    expect((await readOn(provider, { cwd: "/checkout/a", files })).entries).toEqual([]);
  });
});
