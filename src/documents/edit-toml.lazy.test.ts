import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalJson, type JsonObject } from "../model/index.ts";
import { setTomlTable } from "./edit-toml.lazy.ts";
import { parseToml } from "./parse-toml.lazy.ts";

const FILE = `# my settings
model = "o4" # fast

[mcp_servers.files] # local
# the program
command = "npx" # runs it
args = [
  "-y", # yes
  "files", # ] not the end
]

[mcp_servers.files.env]
# who
USER_NAME = 'me'

[tui]
theme = """
[mcp_servers.fake]
"""
`;

const FILES = { command: "npx", args: ["-y", "files"], env: { USER_NAME: "me" } };
const set = (text: string, name: string, wanted: JsonObject): string =>
  setTomlTable(text, ["mcp_servers", name], wanted);

describe("a missing table", () => {
  test("is added at the end, after a blank line", () => {
    const wanted = { url: "https://h/mcp", env_http_headers: { "X-Key": "A_KEY" }, tool_timeout_sec: 1.5 };
    expect(set(FILE, "new.one", wanted)).toBe(`${FILE}
[mcp_servers."new.one"]
url = "https://h/mcp"
env_http_headers = { X-Key = "A_KEY" }
tool_timeout_sec = 1.5
`);
  });

  test.each([
    ["a file of white space", " \n\n", '[mcp_servers.a]\ncommand = "x"\n'],
    ["an empty file", "", '[mcp_servers.a]\ncommand = "x"\n'],
    ["a file without a final line break", "a = 1", 'a = 1\n\n[mcp_servers.a]\ncommand = "x"\n'],
    ["a file with Windows line endings", "a = 1\r\n", 'a = 1\r\n\r\n[mcp_servers.a]\r\ncommand = "x"\r\n'],
    ["a file of comments", "# one\n", '# one\n\n[mcp_servers.a]\ncommand = "x"\n'],
  ])("is added to %s", (_, before, after) => {
    expect(set(before, "a", { command: "x" })).toBe(after);
  });

  test("has nested tables as inline tables", () => {
    const wanted = { env: { A: "1", B: "2" }, none: {}, list: [1, { a: true }] };
    expect(set("", "a", wanted)).toBe(
      '[mcp_servers.a]\nenv = { A = "1", B = "2" }\nnone = {}\nlist = [1, { a = true }]\n',
    );
  });

  test("writes every string so that it is read back unchanged", () => {
    const texts = ['"', "\\", "\n", "\u007f", "\u0001", "'''", "é", "\u2028", "C:\\x"];
    const after = set("", "a", { args: texts, env: { 'odd "key"': "v" }, none: {}, empty: [] });
    expect(parseToml(after).value).toEqual({
      mcp_servers: { a: { args: texts, env: { 'odd "key"': "v" }, none: {}, empty: [] } },
    });
  });
});

describe("an existing table", () => {
  test("keeps its comments when a value changes", () => {
    expect(set(FILE, "files", { ...FILES, command: "bunx" })).toBe(FILE.replace('"npx"', '"bunx"'));
  });

  test("keeps a subtable and its comments", () => {
    expect(set(FILE, "files", { ...FILES, env: { USER_NAME: "you", LEVEL: "1" } })).toBe(
      FILE.replace("USER_NAME = 'me'", 'USER_NAME = "you"\nLEVEL = "1"'),
    );
  });

  test("gets a new key after its last key", () => {
    expect(set(FILE, "files", { ...FILES, cwd: "/srv" })).toBe(
      FILE.replace('  "files", # ] not the end\n]\n', '  "files", # ] not the end\n]\ncwd = "/srv"\n'),
    );
  });

  test("loses a key with its line, and a subtable with its header", () => {
    expect(set(FILE, "files", { command: "npx" })).toBe(
      FILE.replace(/args = \[[\s\S]*?\n\]\n/, "")
        .replace(/\n\[mcp_servers\.files\.env\]\n/, "")
        .replace("USER_NAME = 'me'\n", ""),
    );
  });

  test("is unchanged if it has the wanted content", () => {
    expect(set(FILE, "files", FILES)).toBe(FILE);
  });

  test("can be an inline table", () => {
    const text = '[mcp_servers]\na = { command = "x" } # one\nb = { command = "y" }\n';
    expect(set(text, "a", { command: "z" })).toBe(text.replace('"x"', '"z"'));
  });

  test("can have dotted keys", () => {
    const text = '[mcp_servers.a]\ncommand = "x"\nenv.A = "1"\nenv.B = "2"\n';
    expect(set(text, "a", { command: "x", env: { A: "1" } })).toBe(
      '[mcp_servers.a]\ncommand = "x"\nenv = { A = "1" }\n',
    );
  });

  test.each<[string, string, JsonObject, string]>([
    [
      "a new key with the indentation of the others",
      '[mcp_servers.a]\n\tcommand = "x"\n',
      { command: "x", cwd: "/" },
      '[mcp_servers.a]\n\tcommand = "x"\n\tcwd = "/"\n',
    ],
    [
      "a new key after its own last key, even if other tables follow",
      '[mcp_servers.a]\ncommand = "x"\n\n[mcp_servers.z]\ncommand = "z"\n',
      { command: "x", cwd: "/" },
      '[mcp_servers.a]\ncommand = "x"\ncwd = "/"\n\n[mcp_servers.z]\ncommand = "z"\n',
    ],
    [
      "a first key after its header",
      "[mcp_servers.a] # mine\n\n[b]\n",
      { command: "x" },
      '[mcp_servers.a] # mine\ncommand = "x"\n\n[b]\n',
    ],
    [
      "a first key in an empty subtable",
      "[mcp_servers.a]\n[mcp_servers.a.env] # mine\n",
      { env: { A: "1" } },
      '[mcp_servers.a]\n[mcp_servers.a.env] # mine\nA = "1"\n',
    ],
    [
      "a new key in a subtable that is defined after its own subtable",
      "[mcp_servers.a]\n[mcp_servers.a.env.x]\n[mcp_servers.a.env]\n",
      { env: { x: {}, A: "1" } },
      '[mcp_servers.a]\n[mcp_servers.a.env.x]\n[mcp_servers.a.env]\nA = "1"\n',
    ],
    [
      "a string instead of a subtable",
      '[mcp_servers.a]\n\n[mcp_servers.a.env]\nA = "1"\n\n[b]\n',
      { env: "none" },
      '[mcp_servers.a]\nenv = "none"\n\n[b]\n',
    ],
    [
      "a table instead of a nested list of tables",
      '[mcp_servers.a]\n[[mcp_servers.a.env]]\nA = "1"\n',
      { env: { A: "1" } },
      '[mcp_servers.a]\nenv = { A = "1" }\n',
    ],
    [
      "an indented key removed, but not the blank line before it",
      '[mcp_servers.a]\n  command = "x"\n\n  cwd = "/"\n  args = []\n',
      { command: "x", args: [] },
      '[mcp_servers.a]\n  command = "x"\n\n  args = []\n',
    ],
    [
      "the last key removed in a file without a final line break",
      '[mcp_servers.a]\ncommand = "x"\ncwd = "/"',
      { command: "x" },
      '[mcp_servers.a]\ncommand = "x"\n',
    ],
    [
      "a subtable removed in a file with Windows line endings",
      '[mcp_servers.a]\r\ncommand = "x"\r\n\r\n[mcp_servers.a.env]\r\nA = "1"\r\n',
      { command: "x" },
      '[mcp_servers.a]\r\ncommand = "x"\r\n',
    ],
  ])("gets %s", (_, before, wanted, after) => {
    expect(set(before, "a", wanted)).toBe(after);
  });

  test("keeps Windows line endings", () => {
    const text = '[mcp_servers.a]\r\ncommand = "x"\r\n\r\n[b]\r\n';
    expect(set(text, "a", { command: "x", cwd: "/" })).toBe(
      '[mcp_servers.a]\r\ncommand = "x"\r\ncwd = "/"\r\n\r\n[b]\r\n',
    );
  });
});

test.each([
  ["all servers on one line", 'mcp_servers = { a = { command = "x" } }\n'],
  ["a list of tables", "[[mcp_servers]]\nname = 'a'\n"],
  ["a number under that name", "mcp_servers = 1\n"],
  ["a string under that name", "mcp_servers = 'x'\n"],
  ["a syntax error", "[mcp_servers.a\n"],
])("a file with %s is rejected", (_, text) => {
  expect(() => set(text, "a", { command: "y" })).toThrow("without changing other parts of it");
  expect(() => set(text, "b", { command: "y" })).toThrow("without changing other parts of it");
});

test.each([
  ["dotted keys next to another table", 'mcp_servers.a.command = "x"\n[mcp_servers.z]\n'],
  ["only a subtable", "[mcp_servers.a.env]\nA = '1'\n"],
  ["a list of tables", "[[mcp_servers.a]]\ncommand = 'x'\n"],
])("a table that is defined by %s is rejected", (_, text) => {
  expect(() => set(text, "a", { command: "y" })).toThrow("without changing other parts of it");
});

test("a value that TOML cannot represent is rejected", () => {
  expect(() => set("[mcp_servers.a]\n", "a", { command: null })).toThrow(
    "without changing other parts of it",
  );
});

test("a table of dotted keys is rejected, but another table can be added", () => {
  const text = 'mcp_servers.a.command = "x"\n';
  expect(() => set(text, "a", { command: "y" })).toThrow("without changing other parts of it");
  expect(set(text, "b", { command: "y" })).toBe(`${text}\n[mcp_servers.b]\ncommand = "y"\n`);
});

test("an edit changes only its own table", () => {
  const pieces = fc.constantFrom(
    'model = "x"',
    "# note",
    "",
    "[tui]",
    "a = [1, # ]\n 2]",
    's = """\n[x]\n"""',
    "[mcp_servers.z]",
    'command = "z"',
    "[mcp_servers.a]",
    'command = "a"',
    "env.K = 'v'",
    "[mcp_servers.a.env]",
    "[[list]]",
    "'q k' = { b = 1 }",
    "args = ['#']",
  );
  const entry = fc.record(
    { command: fc.string(), args: fc.array(fc.string()), env: fc.dictionary(fc.string(), fc.string()) },
    { requiredKeys: ["command"] },
  );
  let edited = 0;
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 12 }), entry, (lines, wanted) => {
      const text = lines.join("\n");
      const before = text.trim() === "" ? {} : parseToml(text).value;
      if (before === undefined) return;
      let after: string;
      try {
        after = set(text, "a", wanted);
      } catch (error) {
        expect(String(error)).toContain("without changing other parts of it");
        return;
      }
      edited += 1;
      const rest = (value: unknown): string => {
        const { mcp_servers: servers = {}, ...others } = value as Record<string, object>;
        return canonicalJson({ ...others, servers: { ...servers, a: null } });
      };
      expect(rest(parseToml(after).value)).toBe(rest(before));
      for (const comment of lines.filter((line) => line === "# note")) expect(after).toContain(comment);
    }),
    { numRuns: 400 },
  );
  expect(edited).toBeGreaterThan(80);
});

test("many keys are removed in linear time", () => {
  const pairs = Array.from({ length: 12_000 }, (_, index) => `k${index} = 1`);
  const text = ["[mcp_servers.a]", ...pairs, "", "[tui]", "theme = 1", ""].join("\n");
  expect(set(text, "a", { command: "x" })).toBe('[mcp_servers.a]\ncommand = "x"\n\n[tui]\ntheme = 1\n');
});
