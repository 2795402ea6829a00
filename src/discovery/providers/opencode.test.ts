import { describe, expect, test } from "vitest";
import { readEntry, readOn } from "../../../test/support/machine.ts";
import { opencode } from "./opencode.ts";
import { opencodeToml } from "./opencode-toml.ts";

const FILE = "/repo/opencode.json";
const LOCAL = { type: "local", command: ["server"] };
const mcp = (one: unknown): unknown => ({ mcp: { one } });

describe("one server in several files of opencode", () => {
  test("has each field from the strongest file that sets it", async () => {
    const order = [
      "/home/me/.config/opencode/config.json",
      "/home/me/.config/opencode/opencode.json",
      "/home/me/.config/opencode/opencode.jsonc",
      "/mine/named.json",
      "/repo/opencode.json",
      "/repo/opencode.jsonc",
      "/repo/sub/opencode.json",
      "/repo/sub/.opencode/opencode.json",
      "/repo/.opencode/opencode.jsonc",
      "/home/me/.opencode/opencode.json",
      "/mine/folder/opencode.json",
      "/etc/opencode/opencode.json",
    ];
    const variables = { OPENCODE_CONFIG: "/mine/named.json", OPENCODE_CONFIG_DIR: "/mine/folder" };
    for (let strongest = 1; strongest <= order.length; strongest += 1) {
      const files = Object.fromEntries(
        order.slice(0, strongest).map((path) => [path, mcp({ ...LOCAL, cwd: path })]),
      );
      const machine = { cwd: "/repo/sub", variables, files: { ...files, "/repo/.git/HEAD": "" } };
      const [entry] = (await readOn(opencode, machine)).entries;
      expect(entry?.fields["cwd"]).toBe(order[strongest - 1]);
    }
  });

  test("belongs to the project if any project file contributes to it", async () => {
    const { entries } = await readOn(opencode, {
      files: {
        "/home/me/.config/opencode/opencode.json": mcp({ ...LOCAL, environment: { A: "1" } }),
        [FILE]: mcp({ command: ["evil"] }),
        "/home/me/.opencode/opencode.json": mcp({ enabled: true }),
      },
    });
    expect(entries.map(({ source, fields }) => [source.file, source.tier, fields["command"]])).toEqual([
      [FILE, "project", "evil"],
      ["/home/me/.opencode/opencode.json", "user", "server"],
    ]);
    expect(entries[0]?.fieldSources?.["command"]).toMatchObject({ file: FILE, line: 1 });
    expect(entries[0]?.fieldSources?.["env"]?.file).toBe("/home/me/.config/opencode/opencode.json");
    expect(entries[0]?.fieldSources?.["enabled"]?.file).toBe("/home/me/.opencode/opencode.json");
  });
});

describe("an entry of opencode", () => {
  test.each([
    ["a command as a list", LOCAL, { command: "server" }, { valid: true, problems: [] }],
    [
      "a command as a string",
      { command: "npx", args: ["-y", "x"], env: { A: "1" } },
      { command: "npx", args: ["-y", "x"], env: { A: "1" } },
      { valid: false, problems: ["missing-type"] },
    ],
    [
      "a local server with a string",
      { type: "local", command: "npx -y x" },
      { command: "npx -y x" },
      { valid: false, problems: ["bad-field-type"] },
    ],
    ["no command", { type: "local" }, {}, { valid: false, problems: ["missing-command"] }],
    ["no url", { type: "remote" }, {}, { valid: false, problems: ["missing-url"] }],
    ["an unknown type", { type: "http", url: "https://h" }, {}, { valid: false, problems: ["unknown-type"] }],
    [
      "only a switch",
      { enabled: false },
      { enabled: false },
      { valid: false, problems: ["partial-overlay"] },
    ],
    [
      "a number in its environment",
      { ...LOCAL, environment: { A: 1 } },
      { env: { A: 1 } },
      { valid: false, problems: ["bad-field-type"] },
    ],
  ])("with %s", async (_, given, fields, owner) => {
    const entry = await readEntry(opencode, FILE, mcp(given));
    expect(entry.fields).toMatchObject(fields);
    expect(entry.owner).toEqual(owner);
  });

  test("keeps unknown fields, except those with a meaning in Plugboard", async () => {
    const { fields } = await readEntry(opencode, FILE, mcp({ ...LOCAL, codemode: false, wrap: ["evil"] }));
    expect(fields["codemode"]).toBe(false);
    expect(fields["wrap"]).toBeUndefined();
  });

  test.each([
    [{ mcp: { one: LOCAL }, experimental: { mcp_timeout: 9000 } }, { timeout: 9000 }],
    [{ mcp: { one: { ...LOCAL, timeout: 5000 } }, experimental: { mcp_timeout: 9000 } }, { timeout: 5000 }],
    [
      {
        mcp: {
          servers: { one: { ...LOCAL, timeout: { startup: 1 } } },
          timeout: { startup: 3, execution: 4 },
        },
      },
      { startupTimeout: 1, timeout: 4 },
    ],
  ])("has its timeouts from %j", async (file, fields) => {
    expect((await readEntry(opencode, FILE, file)).fields).toMatchObject(fields);
  });

  test("of version 2 has other field names", async () => {
    const one = {
      type: "remote",
      url: "https://h",
      disabled: true,
      oauth: { client_id: "me", callback_port: 1 },
    };
    const { fields, path } = await readEntry(opencode, FILE, { mcp: { servers: { one } } });
    expect(path).toEqual(["mcp", "servers", "one"]);
    expect(fields).toMatchObject({ enabled: false, oauth: { clientId: "me", callbackPort: 1 } });
  });

  test.each([[LOCAL], [{ enabled: false }]])("may have the name of version 2's key: %j", async (servers) => {
    const { name, path } = await readEntry(opencode, FILE, { mcp: { servers } });
    expect([name, path]).toEqual(["servers", ["mcp", "servers"]]);
  });
});

test.each([
  [{ mcpServers: {} }, 'has "mcpServers": opencode reads "mcp" and finds no servers here'],
  [mcp({ command: "npx" }), 'server "one": opencode would reject the whole file because of this'],
  [{ mcp: { one: LOCAL, two: 2 } }, 'server "two" must be an object'],
  [{ mcp: [] }, '"mcp" must be an object that maps names to servers'],
  [mcp({ enabled: true }), undefined],
])("a file of opencode with %j has the problem: %s", async (file, message) => {
  const { complaints } = await readOn(opencode, { files: { [FILE]: file } });
  expect(complaints?.map((complaint) => complaint.message)).toEqual(message === undefined ? [] : [message]);
});

describe("the TOML format of a seed", () => {
  const read = (text: string) => readEntry(opencodeToml, "/repo/.opencode/config.toml", text);

  test.each([
    ["http://h/sse", "sse"],
    ["http://h/sse/", "sse"],
    ["http://h/sse?key=1", "sse"],
    ["http://h/sse-not", "http"],
    ["http://h/mcp", "http"],
  ])("reads %s as %s", async (url, kind) => {
    expect((await read(`[mcp.one]\nurl = "${url}"\n`)).transport?.kind).toBe(kind);
  });

  test("is read as in the seed: stdio, SSE, HTTP, headers and sign-in", async () => {
    const text = `
[mcp.filesystem]
command = "npx"
args = ["-y", "@modelcontextprotocol/server-filesystem", "/path/to/project"]
[mcp.database]
url = "http://localhost:3000/sse"
headers = { "Authorization" = "Bearer token123" }
[mcp.web_api]
url = "http://localhost:8080"
headers = { "X-API-Key" = "key123" }
[mcp.github]
url = "https://mcp-github.example.com"
oauth = true
`;
    const { entries } = await readOn(opencodeToml, { files: { "/repo/.opencode/config.toml": text } });
    const found = entries.map(({ name, fields, transport, owner }) => [
      name,
      transport?.kind,
      { ...fields },
      owner?.valid,
    ]);
    const args = ["-y", "@modelcontextprotocol/server-filesystem", "/path/to/project"];
    const headers = { Authorization: "Bearer token123" };
    expect(found).toEqual([
      ["filesystem", "stdio", { type: "stdio", command: "npx", args }, true],
      ["database", "sse", { type: "sse", url: "http://localhost:3000/sse", headers }, true],
      [
        "web_api",
        "http",
        { type: "http", url: "http://localhost:8080", headers: { "X-API-Key": "key123" } },
        true,
      ],
      ["github", "http", { type: "http", url: "https://mcp-github.example.com", oauth: true }, true],
    ]);
  });

  test("has one timeout for all servers", async () => {
    const text = '[mcp.one]\ncommand = "x"\n[experimental]\nmcp_timeout = 60000\n';
    expect((await read(text)).fields["timeout"]).toBe(60000);
  });

  test("is reported as ignored by opencode", async () => {
    const files = { "/repo/.opencode/config.toml": '[mcp.one]\ncommand = "x"\nurl = "https://h"\n' };
    const { entries, complaints } = await readOn(opencodeToml, { files });
    expect(entries[0]?.owner).toEqual({ valid: false, problems: ["command-and-url"] });
    expect(complaints?.map(({ message }) => message)).toEqual([
      "is read by Plugboard, but opencode ignores it",
    ]);
  });
});
