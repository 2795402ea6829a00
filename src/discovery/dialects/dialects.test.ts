import { describe, expect, test } from "vitest";
import { findOwnPaths } from "../../state/index.ts";
import { createMemoryFiles } from "../../testing/index.ts";
import type { Where } from "../provider.ts";
import { findWhere } from "../where.ts";
import { isUnsupported, type PortableServer } from "./dialect.ts";
import { DIALECTS } from "./dialects.lazy.ts";

type Launch = PortableServer["launch"];
const dialectOf = (id: string) => DIALECTS.find((dialect) => dialect.id === id) ?? expect.fail(`no ${id}`);
const toEntry = (id: string, launch: Launch, more: Partial<PortableServer> = {}): unknown =>
  dialectOf(id).toEntry({ name: "one", launch, ...more });

const LOCAL: Launch = {
  transport: "stdio",
  command: "npx",
  args: ["-y", "one"],
  env: { MODE: "fast" },
};
const REMOTE: Launch = { transport: "http", url: "https://h.test/mcp", headers: { "X-Team": "blue" } };

const PLAIN = { command: "npx", args: ["-y", "one"], env: { MODE: "fast" } };
const HEADERS = { headers: { "X-Team": "blue" } };

describe("a server without placeholders", () => {
  test.each([
    ["claude-code", { type: "stdio", ...PLAIN }, { type: "http", url: REMOTE.url, ...HEADERS }],
    [
      "claude-desktop",
      PLAIN,
      { cannot: "Claude Desktop does not support remote servers in its config file" },
    ],
    ["cline", { type: "stdio", ...PLAIN }, { type: "streamableHttp", url: REMOTE.url, ...HEADERS }],
    ["codex", PLAIN, { url: REMOTE.url, http_headers: { "X-Team": "blue" } }],
    ["copilot-cli", { type: "stdio", ...PLAIN }, { type: "http", url: REMOTE.url, ...HEADERS }],
    ["cursor", { type: "stdio", ...PLAIN }, { url: REMOTE.url, ...HEADERS }],
    ["gemini", PLAIN, { type: "http", url: REMOTE.url, ...HEADERS }],
    [
      "opencode",
      { type: "local", command: ["npx", "-y", "one"], environment: { MODE: "fast" } },
      { type: "remote", url: REMOTE.url, ...HEADERS },
    ],
    ["vscode", { type: "stdio", ...PLAIN }, { type: "http", url: REMOTE.url, ...HEADERS }],
    ["windsurf", PLAIN, { serverUrl: REMOTE.url, ...HEADERS }],
    ["zed", PLAIN, { url: REMOTE.url, ...HEADERS }],
  ])("is written in the format of %s", (id, local, remote) => {
    expect(toEntry(id, LOCAL)).toEqual(local);
    expect(toEntry(id, REMOTE)).toEqual(remote);
  });

  test("has a row for every dialect", () => {
    expect(DIALECTS.map(({ id }) => id)).toEqual([
      "claude-code",
      "claude-desktop",
      "cline",
      "codex",
      "copilot-cli",
      "cursor",
      "gemini",
      "opencode",
      "vscode",
      "windsurf",
      "zed",
    ]);
  });
});

describe("a server over SSE is written or refused", () => {
  const sse: Launch = { transport: "sse", url: "https://h.test/sse", headers: {} };
  test.each([
    ["claude-code", { type: "sse", url: sse.url }],
    ["claude-desktop", { cannot: "Claude Desktop does not support remote servers in its config file" }],
    ["cline", { type: "sse", url: sse.url }],
    ["codex", { cannot: "Codex does not support SSE" }],
    ["copilot-cli", { type: "sse", url: sse.url }],
    ["cursor", { url: sse.url }],
    ["gemini", { type: "sse", url: sse.url }],
    ["opencode", { type: "remote", url: sse.url }],
    ["vscode", { type: "sse", url: sse.url }],
    ["windsurf", { serverUrl: sse.url }],
    ["zed", { cannot: "Zed does not support SSE" }],
  ])("for %s", (id, expected) => {
    expect(toEntry(id, sse)).toEqual(expected);
  });
});

describe("placeholders", () => {
  const local: Launch = { transport: "stdio", command: "x", args: [], env: { TOKEN: "a ${B}" } };
  const remote: Launch = {
    transport: "http",
    url: "https://h.test/mcp",
    headers: { Authorization: "Bearer ${TOKEN}" },
  };
  test.each([
    ["claude-code", "a ${B}", "Bearer ${TOKEN}"],
    ["cline", "a ${env:B}", "Bearer ${env:TOKEN}"],
    ["copilot-cli", "a ${B}", "Bearer ${TOKEN}"],
    ["cursor", "a ${env:B}", "Bearer ${env:TOKEN}"],
    ["gemini", "a ${B}", "Bearer ${TOKEN}"],
    ["opencode", "a {env:B}", "Bearer {env:TOKEN}"],
    ["vscode", "a ${env:B}", "Bearer ${env:TOKEN}"],
    ["windsurf", "a ${env:B}", "Bearer ${env:TOKEN}"],
  ])("are written in the syntax of %s", (id, env, header) => {
    const entry = toEntry(id, local) as Record<string, unknown>;
    expect(entry["env"] ?? entry["environment"]).toEqual({ TOKEN: env });
    expect(toEntry(id, remote)).toMatchObject({ headers: { Authorization: header } });
  });

  test("become variable names for Codex where it supports them", () => {
    const env = { TOKEN: "${TOKEN}", MODE: "fast" };
    expect(toEntry("codex", { ...LOCAL, env, inheritEnv: ["LANG", "TOKEN"] })).toEqual({
      command: "npx",
      args: ["-y", "one"],
      env: { MODE: "fast" },
      env_vars: ["LANG", "TOKEN"],
    });
    const headers = { Authorization: "Bearer ${TOKEN}", "X-Key": "${KEY}", "X-Team": "blue" };
    expect(toEntry("codex", { transport: "http", url: "https://h.test", headers })).toEqual({
      url: "https://h.test",
      bearer_token_env_var: "TOKEN",
      http_headers: { "X-Team": "blue" },
      env_http_headers: { "X-Key": "KEY" },
    });
  });

  test.each<[id: string, part: Partial<Launch>, reason: string]>([
    ["zed", { env: { A: "${B}" } }, "Zed does not expand variables (${B} in env.A)"],
    ["claude-desktop", { args: ["${B}"] }, "Claude Desktop does not expand variables (${B} in args)"],
    ["codex", { env: { A: "${B}" } }, "Codex does not expand variables (${B} in env.A)"],
    ["codex", { command: "${B}/x" }, "Codex does not expand variables (${B} in command)"],
    ["copilot-cli", { args: ["${B}"] }, "GitHub Copilot CLI does not expand variables in args (${B})"],
    ["cursor", { args: ["${B:-secret}"] }, "Cursor does not support defaults (${B:-…} in args)"],
    ["opencode", { env: { A: "${B:-c}" } }, "opencode does not support defaults (${B:-…} in env.A)"],
    ["vscode", { cwd: "${B:-c}" }, "VS Code does not support defaults (${B:-…} in cwd)"],
    ["cursor", { args: ["${a.b}"] }, 'Cursor does not support the variable name "a.b" (in args)'],
  ])("that %s does not support prevent the export", (id, part, reason) => {
    expect(toEntry(id, { ...LOCAL, ...part } as Launch)).toEqual({ cannot: reason });
  });

  test.each([
    ["cline", "https://${HOST}/mcp", "Cline does not expand variables in url (${HOST})"],
    ["copilot-cli", "https://${HOST}/mcp", "GitHub Copilot CLI does not expand variables in url (${HOST})"],
    ["codex", "https://${HOST}/mcp", "Codex does not expand variables (${HOST} in url)"],
  ])("in a url prevent the export to %s", (id, url, reason) => {
    expect(toEntry(id, { transport: "http", url, headers: {} })).toEqual({ cannot: reason });
  });

  test.each([
    ["gemini", "$HOME/x", 'Gemini CLI would read plain text as a variable ("$H…" in args)'],
    ["opencode", "{file:x}", 'opencode would read plain text as a variable ("{file:…" in args)'],
    ["windsurf", "${file:x}", 'Windsurf would read plain text as a variable ("${…" in args)'],
  ])("that only %s would see in plain text prevent the export", (id, word, reason) => {
    expect(toEntry(id, { ...LOCAL, args: [word] })).toEqual({ cannot: reason });
  });

  test.each<[string, object, string]>([
    [
      "opencode",
      { env: { "{file:/x}": "y" } },
      'opencode would read the name "{file:/x}" in env as a variable',
    ],
    [
      "opencode",
      { env: { "A{env:B}": "y" } },
      'opencode would read the name "A{env:B}" in env as a variable',
    ],
    ["gemini", { env: { A$B: "y" } }, 'Gemini CLI would read the name "A$B" in env as a variable'],
    ["gemini", { inheritEnv: ["A}${B"] }, 'Gemini CLI does not support the variable name "A}${B" (in env)'],
  ])("that %s would see in a name prevent the export: %j", (id, launch, reason) => {
    expect(toEntry(id, { ...LOCAL, ...launch })).toEqual({ cannot: reason });
  });

  test("that opencode would see in a header's name prevent the export", () => {
    const launch = { transport: "http", url: "https://h.test/", headers: { "X-{env:A}": "b" } } as const;
    expect(toEntry("opencode", launch)).toEqual({
      cannot: 'opencode would read the name "X-{env:A}" in headers as a variable',
    });
  });

  test("with a default are kept for tools that support defaults", () => {
    const args = ["${A:-b}"];
    expect(toEntry("claude-code", { ...LOCAL, args })).toMatchObject({ args });
    expect(toEntry("gemini", { ...LOCAL, args })).toMatchObject({ args });
  });
});

describe("fields that only some tools support", () => {
  const ids = DIALECTS.map(({ id }) => id);
  test.each<
    [field: string, launch: Launch, more: Partial<PortableServer>, supported: Record<string, object>]
  >([
    [
      "cwd",
      { ...LOCAL, cwd: "/srv" },
      {},
      Object.fromEntries(
        ["cline", "codex", "copilot-cli", "gemini", "opencode", "vscode"].map((id) => [id, { cwd: "/srv" }]),
      ),
    ],
    [
      "envFile",
      { ...LOCAL, envFile: "/srv/.env" },
      {},
      { cursor: { envFile: "/srv/.env" }, vscode: { envFile: "/srv/.env" } },
    ],
    [
      "allowTools",
      LOCAL,
      { allowTools: ["a"] },
      { codex: { enabled_tools: ["a"] }, gemini: { includeTools: ["a"] }, "copilot-cli": { tools: ["a"] } },
    ],
    [
      "denyTools",
      LOCAL,
      { denyTools: ["a"] },
      {
        codex: { disabled_tools: ["a"] },
        gemini: { excludeTools: ["a"] },
        windsurf: { disabledTools: ["a"] },
      },
    ],
  ])(
    "%s is written if the tool supports it, else it prevents the export",
    (field, launch, more, supported) => {
      for (const id of ids) {
        const entry = toEntry(id, launch, more);
        if (supported[id] !== undefined) expect(entry).toMatchObject(supported[id]);
        else expect(entry).toEqual({ cannot: `${dialectOf(id).label} does not support ${field}` });
      }
    },
  );

  test("timeouts are converted to the tool's unit, and omitted if the tool has none", () => {
    const entries = Object.fromEntries(
      ids.map((id) => {
        const before = toEntry(id, LOCAL) as object;
        const after = toEntry(id, LOCAL, { timeoutMs: 90_500, startupTimeoutMs: 1_500 }) as object;
        return [id, Object.fromEntries(Object.entries(after).filter(([key]) => !(key in before)))];
      }),
    );
    expect(entries).toEqual({
      "claude-code": { timeout: 90_500 },
      "claude-desktop": {},
      cline: { timeout: 91 },
      codex: { startup_timeout_sec: 1.5, tool_timeout_sec: 90.5 },
      "copilot-cli": { timeout: 90_500 },
      cursor: {},
      gemini: { timeout: 90_500 },
      opencode: { timeout: 90_500 },
      vscode: {},
      windsurf: {},
      zed: { timeout: 91 },
    });
  });

  test("inherited variables are listed for tools that pass few variables", () => {
    const launch: Launch = { ...LOCAL, env: {}, inheritEnv: ["LANG"] };
    const plain = { command: "npx", args: ["-y", "one"] };
    expect(toEntry("gemini", launch)).toEqual({ ...plain, env: { LANG: "${LANG}" } });
    expect(toEntry("copilot-cli", launch)).toEqual({ type: "stdio", ...plain, env: { LANG: "${LANG}" } });
    expect(toEntry("zed", launch)).toEqual(plain);
    for (const id of ["gemini", "copilot-cli", "codex", "claude-desktop"])
      expect(toEntry(id, { ...launch, inheritEnv: true })).toMatchObject({
        cannot: expect.stringContaining("inheritEnv"),
      });
  });
});

test.each([
  ["claude-code", "workspace", "Claude Code reserves this name"],
  ["codex", "a.b", "Codex accepts only letters, digits, - and _ in names"],
])("%s rejects a server named %s", (id, name, cannot) => {
  expect(dialectOf(id).toEntry({ name, launch: LOCAL })).toEqual({ cannot });
});

async function whereOn(platform: "linux" | "darwin" | "win32", variables = {}): Promise<Where> {
  const windows = platform === "win32";
  const home = windows ? "C:\\Users\\me" : "/home/me";
  const cwd = windows ? "C:\\repo\\sub" : "/repo/sub";
  const environment = { platform, home, cwd, variables };
  const files = createMemoryFiles(new Map([["/repo/.git/HEAD", ""]]));
  return findWhere(files, environment, findOwnPaths(environment));
}

describe("the file of a tool", () => {
  test("is the nearest project file, else the one at the project root; or the user's", async () => {
    const where = await whereOn("linux");
    const places = Object.fromEntries(
      DIALECTS.map((dialect) => [
        dialect.id,
        [dialect.files(where, "project").at(-1), dialect.files(where, "user").at(-1)],
      ]),
    );
    expect(places).toEqual({
      "claude-code": ["/repo/.mcp.json", undefined],
      "claude-desktop": [undefined, "/home/me/.config/Claude/claude_desktop_config.json"],
      cline: [undefined, "/home/me/.cline/data/settings/cline_mcp_settings.json"],
      codex: ["/repo/.codex/config.toml", "/home/me/.codex/config.toml"],
      "copilot-cli": ["/repo/.github/mcp.json", "/home/me/.copilot/mcp-config.json"],
      cursor: ["/repo/.cursor/mcp.json", "/home/me/.cursor/mcp.json"],
      gemini: ["/repo/.gemini/settings.json", "/home/me/.gemini/settings.json"],
      opencode: ["/repo/opencode.json", "/home/me/.config/opencode/opencode.json"],
      vscode: ["/repo/.vscode/mcp.json", "/home/me/.config/Code/User/mcp.json"],
      windsurf: [undefined, "/home/me/.codeium/windsurf/mcp_config.json"],
      zed: ["/repo/.zed/settings.json", "/home/me/.config/zed/settings.json"],
    });
    expect(dialectOf("cursor").files(where, "project")).toEqual([
      "/repo/sub/.cursor/mcp.json",
      "/repo/.cursor/mcp.json",
    ]);
  });

  test.each([
    ["claude-desktop", "darwin", "/home/me/Library/Application Support/Claude/claude_desktop_config.json"],
    ["claude-desktop", "win32", "C:\\Users\\me\\AppData\\Roaming\\Claude\\claude_desktop_config.json"],
    ["vscode", "darwin", "/home/me/Library/Application Support/Code/User/mcp.json"],
    ["zed", "win32", "C:\\Users\\me\\AppData\\Roaming\\Zed\\settings.json"],
    ["zed", "darwin", "/home/me/.config/zed/settings.json"],
    ["opencode", "win32", "C:\\Users\\me\\.config\\opencode\\opencode.json"],
  ] as const)("of %s on %s is the platform's", async (id, platform, file) => {
    expect(
      dialectOf(id)
        .files(await whereOn(platform), "user")
        .at(-1),
    ).toBe(file);
  });

  test.each([
    ["codex", { CODEX_HOME: "/c" }, "/c/config.toml"],
    ["copilot-cli", { COPILOT_HOME: "/c" }, "/c/mcp-config.json"],
    ["cline", { CLINE_DIR: "/c" }, "/c/data/settings/cline_mcp_settings.json"],
    ["cline", { CLINE_MCP_SETTINGS_PATH: "/c/x.json" }, "/c/x.json"],
  ])("of %s can be set by a variable", async (id, variables, file) => {
    expect(dialectOf(id).files(await whereOn("linux", variables), "user")).toEqual([file]);
  });
});

describe("the path of the servers in a file", () => {
  test.each([
    ["claude-code", {}, ["mcpServers"]],
    ["vscode", {}, ["servers"]],
    ["zed", {}, ["context_servers"]],
    ["codex", {}, ["mcp_servers"]],
    ["opencode", { mcp: { a: { type: "local" } } }, ["mcp"]],
    ["opencode", { mcp: { servers: { a: { type: "local" } } } }, ["mcp", "servers"]],
    ["opencode", { mcp: { servers: { type: "local", command: ["x"] } } }, ["mcp"]],
    ["copilot-cli", { mcpServers: {} }, ["mcpServers"]],
    ["copilot-cli", { other: 1 }, ["mcpServers"]],
  ])("of %s is found in %j", (id, root, path) => {
    expect(dialectOf(id).keyPath(root)).toEqual(path);
  });

  test("is rejected if the file has servers at the top level", () => {
    expect(isUnsupported(dialectOf("copilot-cli").keyPath({ a: { command: "x" } }))).toBe(true);
  });
});
