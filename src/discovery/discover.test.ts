import { describe, expect, test } from "vitest";
import { createFakePorts } from "../../test/support/fake-ports.ts";
import { DEFAULT_SETTINGS, type Settings } from "../config/index.ts";
import { findPlaces } from "../state/index.ts";
import { createMemoryFiles } from "../testing/index.ts";
import { type Discovery, discover } from "./discover.ts";

const NATIVE = "/project/.plugboard/mcp.json";
const USER = "/home/me/.plugboard/mcp.json";

interface Situation {
  readonly cwd?: string;
  readonly variables?: Readonly<Record<string, string>>;
  readonly settings?: Partial<Settings>;
}

/** What is found on a disk with these files; objects are written as JSON. The project is a repository. */
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
    places: findPlaces(environment),
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
  test("are read in the order of precedence, the project's before the user's", async () => {
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

  test("that are not there are no problem, and nothing is found", async () => {
    const { found, messages, files } = await find({});
    expect({ found, messages, files }).toEqual({ found: [], messages: [], files: [] });
  });

  test("of the nearest folder count, up to the root of the repository and no further", async () => {
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

  test("outside a repository are those of the working folder alone", async () => {
    const { found } = await find(
      { "/other/.plugboard/mcp.json": one("parent"), "/other/repo/x": "" },
      { cwd: "/other/repo" },
    );
    expect(found).toEqual([]);
  });

  test("of the home folder are the user's own word when one works there", async () => {
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

  test("of a product that is switched off are not read", async () => {
    const files = { [USER]: one("a"), "/project/mcp.json": one("b") };
    const { found } = await find(files, { settings: { providersOff: ["plugboard"] } });
    expect(found.map((line) => line.split(" ")[0])).toEqual(["b"]);
  });
});

describe("an entry", () => {
  test("knows its place, and that of each of its fields", async () => {
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

  test("may stand under servers, and in ToolLoop's shape", async () => {
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

  test("with a name that means something in JavaScript is one like any other", async () => {
    const text = '{ "mcpServers": { "__proto__": { "command": "a" }, "constructor": { "command": "b" } } }';
    const { found } = await find({ [USER]: text });
    expect(found).toEqual([`__proto__ plugboard user ${USER}`, `constructor plugboard user ${USER}`]);
  });
});

describe("what is wrong", () => {
  test("with one entry hides no other", async () => {
    const { found, messages } = await find({
      [USER]: '{\n "mcpServers": {\n  "bad": "node server.js",\n  "good": { "command": "node" }\n }\n}',
    });
    expect({ found, messages }).toEqual({
      found: [`good plugboard user ${USER}`],
      messages: [`error entry-shape: ${USER}:3:3 server "bad" must be an object`],
    });
  });

  test("with one file hides no other", async () => {
    const { found, messages } = await find({ [NATIVE]: '{ "mcpServers": {', [USER]: one("a") });
    expect({ found, messages }).toEqual({
      found: [`a plugboard user ${USER}`],
      messages: [`error file-syntax: ${NATIVE}:1:18 ends before the closing } (is it incomplete?)`],
    });
  });

  test.each<[string, unknown, string[]]>([
    ["a list", "[]", [`error file-shape: ${USER}:1:1 must hold an object with "mcpServers" or "servers"`]],
    [
      "a list of servers",
      { mcpServers: [] },
      [`error file-shape: ${USER}:1:2 "mcpServers" must be an object of servers by name`],
    ],
    [
      "a slip of the pen",
      { mcpServer: {} },
      [`warning file-shape: ${USER}:1:2 has "mcpServer" where "mcpServers" belongs`],
    ],
    ["something else", { name: "x" }, [`warning file-shape: ${USER}:1:1 holds no "mcpServers"`]],
    [
      "both keys",
      { mcpServers: {}, servers: {} },
      [`warning source-ignored: ${USER}:1:18 "servers" is ignored because "mcpServers" is there`],
    ],
    [
      "a name for a list",
      { disabledServers: "a" },
      [`warning field-type: ${USER}:1:2 "disabledServers" must be a list of names; it is ignored`],
    ],
    ["nothing yet", {}, []],
    ["a schema alone", { $schema: "x" }, []],
  ])("with the shape of a native file is one message with its place: %s", async (_, content, messages) => {
    expect((await find({ [USER]: content })).messages).toEqual(messages);
  });
});

describe("switches", () => {
  const lists = { disabledServers: ["off", 5], enabledServers: ["on"] };

  test("are honoured in the user's own file", async () => {
    expect((await find({ [USER]: lists })).switches).toEqual({ disabled: ["off"], enabled: ["on"] });
  });

  test("are not honoured in a project's", async () => {
    const { switches, messages } = await find({ [NATIVE]: lists });
    expect(switches).toEqual({ disabled: [], enabled: [] });
    expect(messages).toEqual([
      `warning source-ignored: ${NATIVE}:1:2 "disabledServers" counts in your own file only; it is ignored here`,
      `warning source-ignored: ${NATIVE}:1:30 "enabledServers" counts in your own file only; it is ignored here`,
    ]);
  });
});

describe("config in the environment", () => {
  test("comes before every file, as the user's own word", async () => {
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
    "that names a file by a relative path ($%s_MCP_CONFIG_PATH) is the folder's word, not the user's",
    async (prefix) => {
      const { found } = await find(
        { "/project/mcp.json": one("file") },
        { variables: { [`${prefix}_MCP_CONFIG_PATH`]: "mcp.json" } },
      );
      expect(found).toEqual(["file environment project /project/mcp.json"]);
    },
  );

  test("in ToolLoop's variables is read; where ours are set too it is ignored, with a warning", async () => {
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

  test("that names a file which is missing is an error that says which variable names it", async () => {
    const { found, messages } = await find(
      { [USER]: one("a") },
      { variables: { PLUGBOARD_MCP_CONFIG_PATH: "gone.json" } },
    );
    expect({ found, messages }).toEqual({
      found: [`a plugboard user ${USER}`],
      messages: [
        "error file-missing: /project/gone.json does not exist ($PLUGBOARD_MCP_CONFIG_PATH names it)",
      ],
    });
  });

  test("that is broken is an error with its place in the variable", async () => {
    const { messages } = await find({}, { variables: { PLUGBOARD_MCP_CONFIG_JSON: '{\n "mcpServers" }' } });
    expect(messages).toEqual([
      'error file-syntax: $PLUGBOARD_MCP_CONFIG_JSON:2:15 has "}" where a colon is expected',
    ]);
  });
});
