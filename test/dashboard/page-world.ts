/** What a gateway would report, as documents of the page API. Used where a test needs many states at once, or hostile texts everywhere. */
import type {
  ActivityRow,
  ApprovalsDocument,
  CallDocument,
  ClientRow,
  ConnectionsDocument,
  LaunchDetails,
  LogsDocument,
  MetricsDocument,
  Overview,
  PageProblem,
  PageSession,
  PreviewDocument,
  ServerDetails,
  SetupDocument,
  ToolDetails,
} from "../../src/page-api.ts";
import { activityRows, randomFrom } from "./world-activity.ts";
import { worldApprovals, worldConnections, worldLaunch } from "./world-approvals.ts";
import { worldServers, worldTools } from "./world-servers.ts";

export interface PageWorld {
  readonly session: PageSession;
  readonly overview: Overview;
  readonly servers: readonly ServerDetails[];
  readonly tools: readonly ToolDetails[];
  readonly unknownTools: readonly string[];
  readonly clients: readonly ClientRow[];
  readonly connections: Omit<ConnectionsDocument, "revision">;
  readonly approvals: Omit<ApprovalsDocument, "revision">;
  readonly launches: readonly LaunchDetails[];
  readonly activity: readonly ActivityRow[];
  readonly metrics: Omit<MetricsDocument, "revision">;
  readonly logs: LogsDocument["runs"];
  readonly setup: SetupDocument;
  readonly preview: PreviewDocument;
  readonly call: CallDocument;
}

const MINUTE = 60_000;

/** Servers in every state, with work to do for a person. */
export function busyWorld(now: number): PageWorld {
  const launch = worldLaunch();
  return {
    session: worldSession(now),
    overview: {
      servers: { total: 9, connected: 3, failed: 2, needsPerson: 2, disabled: 1 },
      clients: 3,
      running: 1,
      callsPerMinute: 14,
      errorsLastHour: 9,
      attention: [
        {
          kind: "approval",
          server: "tracker",
          text: "The project /home/ada/shop defines this server. You have not approved its launch.",
        },
        {
          kind: "changedTools",
          server: "github",
          text: "2 tools changed since you reviewed them, 1 is new.",
        },
        { kind: "signIn", server: "notes", text: "The server requires a sign-in." },
        { kind: "failed", server: "browser", text: "The program exited with code 1 after 0.4 s." },
      ],
      problems: worldProblems(),
      problemCount: 3,
    },
    servers: worldServers(),
    tools: worldTools(),
    unknownTools: ["tracker", "notes"],
    clients: worldClients(now),
    connections: worldConnections(now),
    approvals: worldApprovals(now),
    launches: [launch],
    activity: activityRows(now, 400),
    metrics: worldMetrics(now),
    logs: worldLogs(now),
    setup: worldSetup(),
    preview: {
      decision: "allow",
      rule: "settings.json allows tools that only read",
      complaints: [],
      hash: "7f2c",
    },
    call: {
      isError: false,
      text: "# Shop\n\nA small web shop.\n",
      isTruncated: false,
      structured: { content: "# Shop", bytes: 25 },
      images: [],
      durationMs: 12,
    },
  };
}

/** A gateway on its first day. */
export function emptyWorld(now: number): PageWorld {
  const busy = busyWorld(now);
  const zeros = busy.metrics.calls.map(() => 0);
  return {
    ...busy,
    overview: {
      servers: { total: 0, connected: 0, failed: 0, needsPerson: 0, disabled: 0 },
      clients: 0,
      running: 0,
      callsPerMinute: 0,
      errorsLastHour: 0,
      attention: [],
      problems: [],
      problemCount: 0,
    },
    servers: [],
    tools: [],
    unknownTools: [],
    clients: [],
    connections: { signIns: [], needed: [], secrets: [], running: [] },
    approvals: { launches: [], changedTools: [], calls: [], given: [], allowedCalls: [] },
    launches: [],
    activity: [],
    metrics: {
      ...busy.metrics,
      calls: zeros,
      errors: zeros,
      servers: [],
      tokens: { direct: 0, meta: 0, servers: [], spent: zeros, saved: zeros },
    },
    logs: [],
    setup: { clients: [], skipped: [] },
  };
}

/** The same for a person who may change nothing. */
export function readOnlyWorld(now: number): PageWorld {
  const busy = busyWorld(now);
  return { ...busy, session: { ...busy.session, role: "auditor", rights: [] } };
}

function worldSession(now: number): PageSession {
  return {
    person: "ada",
    role: "administrator",
    rights: ["servers.control", "tools.call", "approvals.decide", "connections.change", "clients.end"],
    isLocal: true,
    expiresAt: now + 12 * 60 * MINUTE,
    version: "0.1.0",
    folder: "/home/ada/shop",
    home: "/home/ada",
  };
}

function worldProblems(): readonly PageProblem[] {
  return [
    {
      severity: "error",
      code: "SERVER_INVALID",
      message: "“command” must be a string.",
      hint: "Write the program as a string, and its arguments in “args”.",
      server: "weather",
      place: { file: "/home/ada/.cursor/mcp.json", line: 14, column: 7 },
    },
    {
      severity: "warning",
      code: "LITERAL_SECRET",
      message: "The header Authorization contains a literal secret.",
      hint: "Store it: plugboard secret set GITHUB_TOKEN",
      server: "github",
      place: { file: "/home/ada/.plugboard/mcp.json", line: 9, column: 11 },
    },
    {
      severity: "info",
      code: "SERVER_SHADOWED",
      message: "“files” is also defined in /home/ada/.vscode/mcp.json, which is not used.",
      server: "files",
      place: { file: "/home/ada/.vscode/mcp.json", line: 3, column: 5 },
    },
  ];
}

function worldClients(now: number): readonly ClientRow[] {
  const shared = { endpoint: "/mcp", running: 0, canEnd: true };
  return [
    {
      ...shared,
      id: "c-5f21",
      name: "claude-code",
      version: "2.4.1",
      transport: "stdio",
      era: "modern",
      since: now - 96 * MINUTE,
      lastAt: now - 4_000,
      requests: 412,
      running: 1,
    },
    {
      ...shared,
      id: "c-77aa",
      name: "cursor",
      version: "3.0.2",
      transport: "http",
      era: "legacy",
      since: now - 41 * MINUTE,
      lastAt: now - 9 * MINUTE,
      requests: 88,
    },
    {
      ...shared,
      id: "c-9012",
      transport: "http",
      era: "modern",
      endpoint: "/mcp/s/files",
      since: now - 3 * MINUTE,
      lastAt: now - 3 * MINUTE,
      requests: 2,
      canEnd: false,
    },
  ];
}

function worldMetrics(now: number): Omit<MetricsDocument, "revision"> {
  const steps = 60;
  const from = Math.floor(now / MINUTE) * MINUTE - (steps - 1) * MINUTE;
  const random = randomFrom(7);
  const series = (mean: number): number[] =>
    Array.from({ length: steps }, (_, step) =>
      Math.max(0, Math.round(mean * (0.4 + random() + Math.sin(step / 9) * 0.7))),
    );
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
  const servers = (
    [
      ["files", 7, 9, [{ at: from - MINUTE, state: "connected" }]],
      [
        "github",
        4,
        240,
        [
          { at: from + MINUTE, state: "connecting" },
          { at: from + 2 * MINUTE, state: "connected" },
          { at: from + 31 * MINUTE, state: "reconnecting" },
          { at: from + 33 * MINUTE, state: "connected" },
        ],
      ],
      [
        "browser",
        1.5,
        1_900,
        [
          { at: from + 5 * MINUTE, state: "connecting" },
          { at: from + 6 * MINUTE, state: "connected" },
          { at: from + 44 * MINUTE, state: "failed" },
        ],
      ],
      [
        "memory",
        0.6,
        4,
        [
          { at: from + 10 * MINUTE, state: "connected" },
          { at: from + 25 * MINUTE, state: "idle" },
        ],
      ],
      ["notes", 0, 0, [{ at: from + 8 * MINUTE, state: "needs_auth" }]],
    ] as const
  ).map(([server, mean, latency, states]) => {
    const calls = series(mean);
    const errors = calls.map((value) => (random() < 0.08 ? Math.min(value, 2) : 0));
    const times = (factor: number): (number | null)[] =>
      calls.map((value) => (value === 0 ? null : latency * factor * (0.7 + random() * 0.6)));
    const total =
      mean === 0
        ? { p50: null, p95: null, p99: null }
        : { p50: latency, p95: latency * 3.2, p99: latency * 7.5 };
    return {
      server,
      calls,
      errors,
      p50: times(1),
      p95: times(3.2),
      p99: times(7.5),
      total: { calls: sum(calls), errors: sum(errors), ...total },
      states,
    };
  });
  const across = (pick: (server: (typeof servers)[number]) => readonly number[]): number[] =>
    Array.from({ length: steps }, (_, step) => sum(servers.map((server) => pick(server)[step] ?? 0)));
  return {
    from,
    stepMs: MINUTE,
    steps,
    processStartedAt: from - 20 * MINUTE,
    calls: across(({ calls }) => calls),
    errors: across(({ errors }) => errors),
    servers,
    tokens: {
      direct: 18_420,
      meta: 1_240,
      servers: [
        { server: "github", tools: 41, tokens: 13_900 },
        { server: "browser", tools: 22, tokens: 3_150 },
        { server: "files", tools: 14, tokens: 1_370 },
      ],
      spent: Array.from({ length: steps }, (_, step) => (step % 11 === 3 ? 1_240 : step === 40 ? 18_420 : 0)),
      saved: Array.from({ length: steps }, (_, step) => (step % 11 === 3 ? 17_180 : 0)),
    },
  };
}

function worldLogs(now: number): LogsDocument["runs"] {
  const start = now - 44 * MINUTE;
  return [
    {
      id: "run-1",
      startedAt: start,
      lines: [
        {
          at: start + 120,
          stream: "stderr",
          text: "\u001b[32mSecure MCP filesystem server\u001b[0m running on stdio",
        },
        { at: start + 340, stream: "stderr", text: "Allowed folders: /home/ada/shop" },
        {
          at: start + 900,
          stream: "stderr",
          text: "Error: ENOSPC: System limit for number of file watchers reached",
        },
      ],
      end: { code: 1, at: start + 1_400 },
    },
    {
      id: "run-2",
      startedAt: start + 2_400,
      lines: [
        { at: start + 2_500, stream: "stderr", text: "Secure MCP filesystem server running on stdio" },
        { at: start + 2_700, stream: "stdout", text: "ready" },
      ],
    },
  ];
}

function worldSetup(): SetupDocument {
  const entry = { mcpServers: { plugboard: { command: "plugboard", args: ["serve", "--stdio"] } } };
  const rows = [
    ["claude-code", "Claude Code", "/home/ada/.claude.json"],
    ["cursor", "Cursor", "/home/ada/.cursor/mcp.json"],
    ["vscode", "VS Code", "/home/ada/.config/Code/User/mcp.json"],
    ["codex", "Codex", "/home/ada/.codex/config.toml"],
  ] as const;
  return {
    clients: rows.map(([tool, label, file]) => ({
      tool,
      label,
      file,
      format: tool === "codex" ? "toml" : "json",
      snippet:
        tool === "codex"
          ? '[mcp_servers.plugboard]\ncommand = "plugboard"\nargs = ["serve", "--stdio"]'
          : JSON.stringify(entry, undefined, 2),
      command: `plugboard export ${tool} --gateway`,
      isSetUp: tool === "claude-code",
    })),
    skipped: [{ label: "Warp", reason: "Its config format for programs is not documented." }],
    http: { url: "http://127.0.0.1:7420/mcp", tokenFile: "/home/ada/.local/state/plugboard/gateway-token" },
  };
}
