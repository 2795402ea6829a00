import { describe, expect, test } from "vitest";
import { createFakePorts } from "../../test/support/fake-ports.ts";
import { DEFAULT_SETTINGS, type Settings } from "../config/index.ts";
import { findOwnPaths } from "../state/index.ts";
import { createMemoryFiles } from "../testing/index.ts";
import { type Discovery, discover } from "./discover.ts";

const NATIVE = "/project/.plugboard/mcp.json";
const USER = "/home/me/.plugboard/mcp.json";

interface Situation {
  readonly cwd?: string;
  readonly variables?: Readonly<Record<string, string>>;
  readonly settings?: Partial<Settings>;
}

/** Runs discovery on these files. Objects are written as JSON. The project is a repository. */
async function find(
  files: Readonly<Record<string, unknown>>,
  { cwd = "/project", variables = {}, settings = {} }: Situation = {},
) {
  const texts = Object.entries(files).map(([file, content]): [string, string] => [
    file,
    typeof content === "string" ? content : JSON.stringify(content),
  ]);
  const ports = createFakePorts(createMemoryFiles(new Map([["/project/.git/HEAD", ""], ...texts])));
  const environment = { platform: "linux", home: "/home/me", cwd, variables };
  const discovery: Discovery = await discover({
    ports,
    environment,
    places: findOwnPaths(environment),
    settings: { ...DEFAULT_SETTINGS, ...settings },
  });
  return {
    found: discovery.declarations.map(
      ({ name, provenance: { tool, tier, file } }) => `${name} ${tool} ${tier} ${file}`,
    ),
    messages: discovery.problems.map(({ severity, code, message }) => `${severity} ${code}: ${message}`),
    ...discovery,
  };
}

const one = (name: string, fields: object = { command: "node" }): object => ({
  mcpServers: { [name]: fields },
});

describe("files", () => {
  test("are read in order of precedence, the project's before the user's", async () => {
    const { found, messages } = await find({
      [NATIVE]: one("a"),
      [USER]: one("b"),
      "/project/mcp.json": one("c"),
    });
    expect({ names: found.map((line) => line.split(" ")[0]), messages }).toEqual({
      names: ["a", "b", "c"],
      messages: [],
    });
  });

  test("that do not exist cause no problems", async () => {
    const { found, messages, files } = await find({});
    expect({ found, messages, files }).toEqual({ found: [], messages: [], files: [] });
  });

  test("of the nearest folder are used, up to the repository root", async () => {
    const everywhere = {
      "/project/deep/er/x": "",
      "/project/deep/.plugboard/mcp.json": one("near"),
      [NATIVE]: one("root"),
      "/.plugboard/mcp.json": one("outside"),
    };
    const inDeep = await find(everywhere, { cwd: "/project/deep/er" });
    const inRoot = await find(everywhere, { cwd: "/project" });
    expect([inDeep.found, inRoot.found]).toEqual([
      ["near plugboard project /project/deep/.plugboard/mcp.json"],
      [`root plugboard project ${NATIVE}`],
    ]);
  });

  test("outside a repository are only those of the working folder", async () => {
    const { found } = await find(
      { "/other/.plugboard/mcp.json": one("parent"), "/other/repo/x": "" },
      { cwd: "/other/repo" },
    );
    expect(found).toEqual([]);
  });

  test("of the home folder count as the user's if it is the working folder", async () => {
    const { found } = await find({ [USER]: one("a") }, { cwd: "/home/me" });
    expect(found).toEqual([`a plugboard user ${USER}`]);
  });

  test("move with PLUGBOARD_HOME", async () => {
    const { found } = await find(
      { [USER]: one("usual"), "/moved/mcp.json": one("moved") },
      { variables: { PLUGBOARD_HOME: "/moved" } },
    );
    expect(found).toEqual(["moved plugboard user /moved/mcp.json"]);
  });

  test("of a disabled provider are not read", async () => {
    const files = { [USER]: one("a"), "/project/mcp.json": one("b") };
    const { found } = await find(files, { settings: { providersOff: ["plugboard"] } });
    expect(found.map((line) => line.split(" ")[0])).toEqual(["b"]);
  });
});

describe("an entry", () => {
  test("has its position, and that of each of its fields", async () => {
    const text =
      '{\n  "mcpServers": {\n    "a": {\n      "command": "node",\n      "timeout": 5\n    }\n  }\n}';
    const { declarations } = await find({ [NATIVE]: text });
    const [declaration] = declarations;
    expect({
      provenance: declaration?.provenance,
      timeout: declaration?.positionOf("timeout"),
      unsaid: declaration?.positionOf("env"),
    }).toEqual({
      provenance: { tool: "plugboard", scope: "project", tier: "project", file: NATIVE, line: 3, column: 5 },
      timeout: { line: 5, column: 7 },
      unsaid: { line: 3, column: 5 },
    });
  });

  test("may be under `servers`, in ToolLoop's format", async () => {
    const { declarations, messages } = await find({
      [USER]: {
        servers: {
          a: { trust: "trusted", transport: { type: "stdio", command: "node", args: ["s.js"] } },
          b: { command: "x" },
        },
      },
    });
    expect({ fields: declarations.map(({ name, fields }) => [name, { ...fields }]), messages }).toEqual({
      fields: [
        ["a", { trust: "trusted", type: "stdio", command: "node", args: ["s.js"] }],
        ["b", { command: "x" }],
      ],
      messages: [],
    });
  });

  test("may have a name that is special in JavaScript", async () => {
    const text = '{ "mcpServers": { "__proto__": { "command": "a" }, "constructor": { "command": "b" } } }';
    const { found } = await find({ [USER]: text });
    expect(found).toEqual([`__proto__ plugboard user ${USER}`, `constructor plugboard user ${USER}`]);
  });
});

describe("a problem", () => {
  test("with one entry does not affect others", async () => {
    const { found, messages } = await find({
      [USER]: '{\n "mcpServers": {\n  "bad": "node server.js",\n  "good": { "command": "node" }\n }\n}',
    });
    expect({ found, messages }).toEqual({
      found: [`good plugboard user ${USER}`],
      messages: [`error entry-shape: ${USER}:3:3 server "bad" must be an object`],
    });
  });

  test("with one file does not affect others", async () => {
    const { found, messages } = await find({ [NATIVE]: '{ "mcpServers": {', [USER]: one("a") });
    expect({ found, messages }).toEqual({
      found: [`a plugboard user ${USER}`],
      messages: [`error file-syntax: ${NATIVE}:1:18 ends before the closing } (is it incomplete?)`],
    });
  });

  test.each<[string, unknown, string[]]>([
    ["a list", "[]", [`error file-shape: ${USER}:1:1 must contain an object with "mcpServers" or "servers"`]],
    [
      "a list of servers",
      { mcpServers: [] },
      [`error file-shape: ${USER}:1:2 "mcpServers" must be an object that maps names to servers`],
    ],
    [
      "a typo",
      { mcpServer: {} },
      [`warning file-shape: ${USER}:1:2 has "mcpServer"; did you mean "mcpServers"?`],
    ],
    ["something else", { name: "x" }, [`warning file-shape: ${USER}:1:1 has no "mcpServers"`]],
    [
      "both keys",
      { mcpServers: {}, servers: {} },
      [`warning source-ignored: ${USER}:1:18 "servers" is ignored because "mcpServers" is also present`],
    ],
    [
      "a name for a list",
      { disabledServers: "a" },
      [`warning field-type: ${USER}:1:2 "disabledServers" must be a list of names; it is ignored`],
    ],
    ["an empty object", {}, []],
    ["only a schema", { $schema: "x" }, []],
  ])(
    "with the structure of a native file is one message with a position: %s",
    async (_, content, messages) => {
      expect((await find({ [USER]: content })).messages).toEqual(messages);
    },
  );
});

describe("switches", () => {
  const lists = { disabledServers: ["off", 5], enabledServers: ["on"] };

  test("work in the user's own file", async () => {
    expect((await find({ [USER]: lists })).switches).toEqual({ disabled: ["off"], enabled: ["on"] });
  });

  test("do not work in a project's file", async () => {
    const { switches, messages } = await find({ [NATIVE]: lists });
    expect(switches).toEqual({ disabled: [], enabled: [] });
    expect(messages).toEqual([
      `warning source-ignored: ${NATIVE}:1:2 "disabledServers" works only in your own config file; it is ignored here`,
      `warning source-ignored: ${NATIVE}:1:30 "enabledServers" works only in your own config file; it is ignored here`,
    ]);
  });
});

describe("config in the environment", () => {
  test("comes before all files and counts as the user's own", async () => {
    const { found } = await find(
      { "/given.json": one("file"), [NATIVE]: one("project") },
      {
        variables: {
          PLUGBOARD_MCP_CONFIG_JSON: JSON.stringify(one("text")),
          PLUGBOARD_MCP_CONFIG_PATH: "/given.json",
        },
      },
    );
    expect(found).toEqual([
      "text environment user $PLUGBOARD_MCP_CONFIG_JSON",
      "file environment user /given.json",
      `project plugboard project ${NATIVE}`,
    ]);
  });

  test.each(["PLUGBOARD", "CODEX_TOOLLOOP"])(
    "with a relative path ($%s_MCP_CONFIG_PATH) counts as the project's, not the user's",
    async (prefix) => {
      const { found } = await find(
        { "/project/mcp.json": one("file") },
        { variables: { [`${prefix}_MCP_CONFIG_PATH`]: "mcp.json" } },
      );
      expect(found).toEqual(["file environment project /project/mcp.json"]);
    },
  );

  test("with a relative path to a parent folder runs that folder's code", async () => {
    const { declarations } = await find(
      { "/project/mcp.json": one("file"), "/project/deep/x": "" },
      { cwd: "/project/deep", variables: { PLUGBOARD_MCP_CONFIG_PATH: "../mcp.json" } },
    );
    expect(declarations).toMatchObject([{ name: "file", projectFolder: "/project" }]);
  });

  test("in ToolLoop's variables is read, or ignored with a warning if Plugboard's are also set", async () => {
    const theirs = { CODEX_TOOLLOOP_MCP_CONFIG_JSON: JSON.stringify(one("theirs")) };
    const alone = await find({}, { variables: theirs });
    const both = await find(
      {},
      { variables: { ...theirs, PLUGBOARD_MCP_CONFIG_JSON: JSON.stringify(one("ours")) } },
    );
    expect([alone.found, alone.messages, both.found, both.messages]).toEqual([
      ["theirs environment user $CODEX_TOOLLOOP_MCP_CONFIG_JSON"],
      [],
      ["ours environment user $PLUGBOARD_MCP_CONFIG_JSON"],
      [
        "warning source-ignored: $CODEX_TOOLLOOP_MCP_CONFIG_JSON is ignored because $PLUGBOARD_MCP_CONFIG_JSON is set",
      ],
    ]);
  });

  test("with the path of a missing file is an error that includes the variable", async () => {
    const { found, messages } = await find(
      { [USER]: one("a") },
      { variables: { PLUGBOARD_MCP_CONFIG_PATH: "gone.json" } },
    );
    expect({ found, messages }).toEqual({
      found: [`a plugboard user ${USER}`],
      messages: ["error file-missing: /project/gone.json does not exist (set by $PLUGBOARD_MCP_CONFIG_PATH)"],
    });
  });

  test("with invalid JSON is an error with a position in the variable", async () => {
    const { messages } = await find({}, { variables: { PLUGBOARD_MCP_CONFIG_JSON: '{\n "mcpServers" }' } });
    expect(messages).toEqual([
      'error file-syntax: $PLUGBOARD_MCP_CONFIG_JSON:2:15 has "}" where a colon is expected',
    ]);
  });
});
