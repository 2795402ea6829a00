import { describe, expect, test } from "vitest";
import { PROVIDER_IDS } from "../../src/discovery/index.ts";
import { hostIn } from "../flow/host-in.ts";
import { createSandbox, type FileContent } from "../support/sandbox.ts";

/** Whether each tool's call timeout, set to 2 s, also applies to connecting. */
interface Row {
  /** The key in `TIMEOUT_RULES`. */
  readonly rules: string;
  readonly home?: string;
  readonly project?: string;
  readonly content: FileContent;
  readonly bounds: "calls" | "both";
  /** The name of the setting in its file. */
  readonly key?: string;
}

const x = { command: "node" };
const json = (entry: object): FileContent => ({ mcpServers: { x: { ...x, ...entry } } });
const local = { type: "local", command: ["node"] };

const ROWS: readonly Row[] = [
  { rules: "plugboard", home: ".plugboard/mcp.json", content: json({ timeout: 2000 }), bounds: "both" },
  { rules: "omp", project: ".omp/mcp.json", content: json({ timeout: 2000 }), bounds: "both" },
  { rules: "xcsh", project: ".xcsh/mcp.json", content: json({ timeout: 2000 }), bounds: "both" },
  { rules: "pisces", project: ".pisces/mcp.json", content: json({ timeout: 2000 }), bounds: "both" },
  { rules: "mcp-json", project: "mcp.json", content: json({ timeout: 2000 }), bounds: "both" },
  { rules: "claude-code", project: ".mcp.json", content: json({ timeout: 2000 }), bounds: "calls" },
  {
    rules: "codex",
    home: ".codex/config.toml",
    content: '[mcp_servers.x]\ncommand = "node"\ntool_timeout_sec = 2\n',
    bounds: "calls",
    key: "tool_timeout_sec",
  },
  { rules: "gemini", home: ".gemini/settings.json", content: json({ timeout: 2000 }), bounds: "both" },
  { rules: "qwen-code", home: ".qwen/settings.json", content: json({ timeout: 2000 }), bounds: "calls" },
  {
    rules: "opencode",
    project: "opencode.json",
    content: { mcp: { x: { ...local, timeout: 2000 } } },
    bounds: "both",
  },
  {
    rules: "opencode global",
    project: "opencode.json",
    content: { mcp: { x: local }, experimental: { mcp_timeout: 2000 } },
    bounds: "calls",
    key: "experimental.mcp_timeout",
  },
  {
    rules: "opencode-toml",
    project: ".opencode/config.toml",
    content: '[mcp.x]\ncommand = "node"\ntimeout = 2000\n',
    bounds: "both",
  },
  {
    rules: "kilo-code",
    project: "kilo.json",
    content: { mcp: { x: { ...local, timeout: 2000 } } },
    bounds: "both",
  },
  { rules: "kilo-code older", project: ".kilocode/mcp.json", content: json({ timeout: 2 }), bounds: "calls" },
  {
    rules: "zed",
    project: ".zed/settings.json",
    content: { context_servers: { x: { ...x, timeout: 2 } } },
    bounds: "both",
  },
  {
    rules: "zed global",
    project: ".zed/settings.json",
    content: { context_server_timeout: 2, context_servers: { x } },
    bounds: "both",
    key: "context_server_timeout",
  },
  {
    rules: "crush",
    project: "crush.json",
    content: { mcp: { x: { ...x, type: "stdio", timeout: 2 } } },
    bounds: "both",
  },
  {
    rules: "cline",
    home: ".cline/data/settings/cline_mcp_settings.json",
    content: json({ timeout: 2 }),
    bounds: "calls",
  },
  { rules: "roo-code", project: ".roo/mcp.json", content: json({ timeout: 2 }), bounds: "calls" },
  {
    rules: "goose",
    home: ".config/goose/config.yaml",
    content:
      "extensions:\n  x:\n    enabled: true\n    type: stdio\n    name: x\n    cmd: node\n    timeout: 2\n",
    bounds: "calls",
  },
  { rules: "amazon-q", project: ".amazonq/mcp.json", content: json({ timeout: 2000 }), bounds: "calls" },
  { rules: "kiro", project: ".kiro/settings/mcp.json", content: json({ timeout: 2000 }), bounds: "calls" },
  {
    rules: "copilot-cli",
    home: ".copilot/mcp-config.json",
    content: json({ timeout: 2000 }),
    bounds: "calls",
  },
  {
    rules: "factory",
    project: ".factory/mcp.json",
    content: json({ timeoutMs: 2000 }),
    bounds: "calls",
    key: "timeoutMs",
  },
  {
    rules: "librechat",
    project: "librechat.yaml",
    content: "mcpServers:\n  x:\n    command: node\n    args: []\n    timeout: 2000\n",
    bounds: "calls",
  },
  {
    rules: "mistral-vibe",
    home: ".vibe/config.toml",
    content: '[[mcp_servers]]\nname = "x"\ntransport = "stdio"\ncommand = "node"\ntool_timeout_sec = 2\n',
    bounds: "calls",
    key: "tool_timeout_sec",
  },
];

interface Limits {
  readonly connect: string | undefined;
  readonly call: string | undefined;
}

/** Returns the timeouts that `explain` reports, without the folders of the sandbox. */
async function limitsIn(
  { home, project, content }: Pick<Row, "home" | "project" | "content">,
  env: Record<string, string> = {},
): Promise<Limits> {
  await using sandbox = await createSandbox();
  const file =
    home === undefined
      ? await sandbox.writeProject(project ?? "", content)
      : await sandbox.writeHome(home, content);
  await using host = await hostIn(sandbox, { env: { ...sandbox.env(), ...env } });
  const { reasons } = await host.config.explain("x");
  const find = (start: string): string | undefined =>
    reasons
      .find((reason) => reason.startsWith(start))
      ?.slice(start.length)
      .replaceAll(file, "FILE");
  return { connect: find("connection timeout: "), call: find("call timeout: ") };
}

describe("the table of timeouts", () => {
  test.each(ROWS)(
    "a timeout of 2 s in the files of $rules limits $bounds",
    async ({ bounds, key = "timeout", ...row }) => {
      const { connect, call } = await limitsIn(row);
      const source = `2000 ms ("${key}" in `;
      expect(call).toContain(source);
      expect(connect).toContain(bounds === "both" ? source : "30000 ms (the default; set ");
    },
  );

  test("has every tool with a timeout once, with a reason", async () => {
    const { TIMEOUT_RULES } = await import("../../src/inventory/timeout-rules.ts");
    const tested = [...ROWS.map(({ rules }) => rules), "program", "continue"]; // both below
    expect(Object.keys(TIMEOUT_RULES).sort()).toEqual(tested.sort());
    for (const { because } of Object.values(TIMEOUT_RULES)) expect(because).not.toBe("");
    const providers = tested.map((rules) => rules.split(" ")[0] ?? "").filter((id) => id !== "program");
    expect(PROVIDER_IDS).toEqual(expect.arrayContaining(providers));
  });
});

describe("the connection timeout", () => {
  test.each<[string, Pick<Row, "home" | "project" | "content">, string]>([
    [
      "startupTimeout, which overrides timeout",
      { home: ".plugboard/mcp.json", content: json({ timeout: 2000, startupTimeout: 9000 }) },
      '9000 ms ("startupTimeout" in FILE:6:7)',
    ],
    [
      "startup_timeout_sec of Codex",
      {
        home: ".codex/config.toml",
        content: '[mcp_servers.x]\ncommand = "node"\nstartup_timeout_sec = 9\n',
      },
      '9000 ms ("startup_timeout_sec" in FILE:3:1)',
    ],
    [
      "startup_timeout_ms of Codex",
      {
        home: ".codex/config.toml",
        content: '[mcp_servers.x]\ncommand = "node"\nstartup_timeout_ms = 9000\n',
      },
      '9000 ms ("startup_timeout_ms" in FILE:3:1)',
    ],
    [
      "discoveryTimeoutMs of Qwen Code",
      { home: ".qwen/settings.json", content: json({ discoveryTimeoutMs: 9000 }) },
      '9000 ms ("discoveryTimeoutMs" in FILE:5:7)',
    ],
    [
      "initTimeout of LibreChat",
      {
        project: "librechat.yaml",
        content: "mcpServers:\n  x:\n    command: node\n    args: []\n    initTimeout: 9000\n",
      },
      '9000 ms ("initTimeout" in FILE:5:5)',
    ],
    [
      "connectionTimeout of Continue",
      {
        home: ".continue/config.yaml",
        content: "mcpServers:\n  - name: x\n    command: node\n    connectionTimeout: 9000\n",
      },
      '9000 ms ("connectionTimeout" in FILE:4:5)',
    ],
    [
      "startup of opencode version 2",
      {
        project: "opencode.json",
        content: { mcp: { servers: { x: { ...local, timeout: { startup: 9000, execution: 1000 } } } } },
      },
      '9000 ms ("timeout.startup" in FILE:',
    ],
    [
      "a longer timeout, if it applies to connecting",
      { home: ".plugboard/mcp.json", content: json({ timeout: 90_000 }) },
      '90000 ms ("timeout" in FILE:5:7)',
    ],
    [
      "30 s, if a longer timeout applies only to calls",
      { project: ".roo/mcp.json", content: json({ timeout: 90 }) },
      `30000 ms (the default; set "startupTimeoutMs" in Plugboard's settings.json to change it)`,
    ],
    [
      "none, if timeout is 0",
      { home: ".plugboard/mcp.json", content: json({ timeout: 0 }) },
      '2147483647 ms ("timeout" in FILE:5:7)',
    ],
    [
      "30 s by default",
      { home: ".plugboard/mcp.json", content: json({}) },
      '30000 ms (the default; set "startupTimeout" in FILE:3:5 to change it)',
    ],
  ])("is %s", async (_, files, expected) => {
    expect((await limitsIn(files)).connect).toContain(expected);
  });
});

describe("Claude Code's variables", () => {
  const claude = { project: ".mcp.json", content: json({}) };
  const env = { MCP_TIMEOUT: "9000", MCP_TOOL_TIMEOUT: "8000" };

  test("are the timeouts of its entries", async () => {
    expect(await limitsIn(claude, env)).toEqual({
      connect: "9000 ms (the variable MCP_TIMEOUT)",
      call: "8000 ms (the variable MCP_TOOL_TIMEOUT)",
    });
  });

  test("are overridden by an entry's timeout, except MCP_TIMEOUT", async () => {
    expect(await limitsIn({ ...claude, content: json({ timeout: 2000 }) }, env)).toEqual({
      connect: "9000 ms (the variable MCP_TIMEOUT)",
      call: '2000 ms ("timeout" in FILE:5:7)',
    });
  });

  test.each(["", "0", "-1", "soon", "Infinity x"])("are ignored if they are invalid: %j", async (value) => {
    const { connect } = await limitsIn(claude, { MCP_TIMEOUT: value });
    expect(connect).toBe("30000 ms (the default; set the variable MCP_TIMEOUT to change it)");
  });

  test("do not apply to other tools' entries", async () => {
    const { connect } = await limitsIn({ home: ".plugboard/mcp.json", content: json({}) }, env);
    expect(connect).toContain("30000 ms (the default");
  });
});

test("a server that a program defines has one timeout for connecting and calls", async () => {
  await using sandbox = await createSandbox();
  await using host = await hostIn(sandbox, { servers: { x: { ...x, timeout: 2000 } } });
  expect((await host.config.explain("x")).reasons).toEqual(
    expect.arrayContaining(['connection timeout: 2000 ms ("timeout" in createHost({ servers }))']),
  );
});
