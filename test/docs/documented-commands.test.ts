import { execFile } from "node:child_process";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { browse } from "../support/oauth-server.ts";
import { hasPty, KEYS, startOnPty } from "../support/pty.ts";
import type { Sandbox } from "../support/sandbox.ts";
import { type CommandWorld, createCommandWorld } from "./command-world.ts";
import { codeBlocks, codeSpans, documents, textOf } from "./markdown.ts";
import { wrongInLine } from "./shown-commands.ts";

/** Every complete command that the README and the guides show. The pages about speed show those of a benchmark, and
 * `test/team/guide.test.ts` runs those of the page about teams. */
const shown: ReadonlySet<string> = new Set(
  documents
    .filter((document) =>
      /^(?:README\.md|docs\/(?!performance|scale|score|team\.)[\w-]+\.md)$/.test(document),
    )
    .flatMap((document) => {
      const text = textOf(document);
      const lines = codeBlocks(text).flatMap(({ language, code }) =>
        language === "sh" ? code.split("\n") : [],
      );
      const spans = codeSpans(text).filter(
        (span) => /^plugboard \S+ |^plugboard -/.test(span) && wrongInLine(span).length === 0,
      );
      return [...lines, ...spans].map((line) => line.replace(/\s+#.*$/, "").trim());
    })
    .filter((line) => /^plugboard\b|\| plugboard /.test(line) && !/…|<\S/.test(line)),
);

/** Commands that this test cannot run as they are, and where they run. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  "plugboard add example.com": "test/surfaces/cli-add-files.test.ts",
  "plugboard add ./weather.mcpb": "test/surfaces/cli-add-files.test.ts",
  "plugboard audit verify": "test/team-store/programs.test.ts",
  "plugboard audit --server files --follow": "test/surfaces/cli-audit.test.ts",
  "plugboard call github search q=x --account work": "test/surfaces/cli-sign-in.test.ts",
  "plugboard call server tool k=v": "a pattern, not a command",
  "plugboard daemon install": "test/daemon/service.test.ts",
  "plugboard daemon install --print": "test/daemon/service.test.ts",
  "plugboard daemon run": "daemon start, below",
  "plugboard daemon run --keep": "test/daemon/service.test.ts",
  "plugboard daemon uninstall": "test/daemon/service.test.ts",
  "plugboard dashboard": "test/surfaces/cli-dashboard.test.ts",
  "plugboard dashboard --no-open": "test/surfaces/cli-dashboard.test.ts",
  "plugboard dashboard --read-only": "test/surfaces/cli-dashboard.test.ts",
  "plugboard dashboard --url http://127.0.0.1:7420": "test/surfaces/cli-dashboard.test.ts",
  "plugboard database import ada": "test/team-store/programs.test.ts",
  "plugboard login github --device": "test/auth",
  "plugboard login issues": "login github, below",
  "plugboard sandbox learn files": "test/surfaces/cli-sandbox.test.ts",
  "plugboard sandbox learn files read_text_file path=/srv/a.md": "test/surfaces/cli-sandbox.test.ts",
  "plugboard sandbox test files": "test/surfaces/cli-sandbox.test.ts",
  "plugboard serve --http :7420": "test/surfaces/cli-serve.test.ts",
  "plugboard trust weather": "trust github, below",
  "plugboard pins accept": "the name of a command",
  "plugboard secret rm": "the name of a command",
};

interface Step {
  readonly line: string;
  /** Part of the output. */
  readonly says: string;
  readonly code?: number;
  readonly input?: string;
  /** Follows the address that the command prints, like a browser. */
  readonly isSignIn?: boolean;
  /** Presses Ctrl-C when the output contains `says`. */
  readonly isEndless?: boolean;
}

const step = (line: string, says: string, more: Omit<Step, "line" | "says"> = {}): Step => ({
  line,
  says,
  ...more,
});
/** A command that asks on a terminal, and otherwise says what it would do. */
const asks = (line: string, says: string): Step => step(line, says, { code: 3 });

/** The commands in an order in which a reader could type them, in a home of their own for each topic. */
const TOPICS: readonly (readonly [
  topic: string,
  github: "own" | "project" | "remote",
  steps: readonly Step[],
])[] = [
  [
    "looking at servers",
    "own",
    [
      step("plugboard list", "docs    http   idle"),
      step("plugboard list --all", "shadowed by"),
      step("plugboard list --json", '"servers": ['),
      step("plugboard mcp list", "docs    http   idle"),
      step("plugboard list --select '.servers[].name'", "files\ndocs\n"),
      step("plugboard list --select '.servers[0].source.file'", "/.plugboard/mcp.json\n"),
      step("plugboard doctor", "0 errors."),
      step("plugboard doctor --fix", "Nothing to fix"),
      step("plugboard bundles", "repoRead  repo"),
      step("plugboard completion bash", "complete -o default"),
      step("plugboard test demo", '✓ Successfully connected to "demo"'),
      step('plugboard call demo text_stats text="hello there"', '{"lines":1,"words":2,"characters":11}'),
      step('plugboard call demo text_stats text="hello there" --record calls.jsonl', '{"lines":1,'),
      step("plugboard tools demo --select '.tools[].inputSchema'", '{"type":"object"'),
      step("plugboard uninstall --dry-run", "Will be removed"),
      asks("plugboard uninstall", "Nothing was removed."),
    ],
  ],
  [
    "one server",
    "own",
    [
      step("plugboard remove files", '- Removed server "files" from user config'),
      step(
        "plugboard add files -- npx -y @modelcontextprotocol/server-filesystem .",
        '+ Added server "files" to project',
      ),
      step("plugboard move files --scope user", '"files"'),
      step("plugboard remove files", "- Removed"),
      step(
        "plugboard add files --scope user -- npx -y @modelcontextprotocol/server-filesystem .",
        '+ Added server "files"',
      ),
      step("plugboard call files list_directory path=.", "[FILE] README.md"),
      step("plugboard call files read_text_file path=README.md", "# A project"),
      step("plugboard tools files", "files · 14 tools"),
      step("plugboard tools files list_directory", "list_directory(path: string)"),
      step("plugboard tools files read_text_file", "read_text_file(path: string"),
      step("plugboard tools files --review", "files · nothing suspicious"),
      step("plugboard test files", '✓ Successfully connected to "files"'),
      step("plugboard logs files", "Secure MCP Filesystem Server"),
      step("plugboard explain files", "call timeout: 30000 ms"),
      step("plugboard set files timeout=60000", '+  "timeout": 60000'),
      step("plugboard set files timeout=60000 env.TOKEN=env:GITHUB_TOKEN", '"TOKEN": "${GITHUB_TOKEN}"'),
      step("plugboard unset files timeout env.TOKEN", '-  "timeout": 60000'),
      step(
        "plugboard set files args=-y args=@modelcontextprotocol/server-filesystem args=.",
        "nothing changed",
      ),
      step(`plugboard set files allowTools:='["read_*"]'`, '"read_*"'),
      step("plugboard generate client files --out files.ts", "✓ Wrote files.ts"),
      step("plugboard generate types files github --out mcp.d.ts", "✓ Wrote mcp.d.ts"),
      step("plugboard generate types --out mcp.d.ts", "mcp.d.ts"),
      step("plugboard generate types --out mcp.d.ts --check", "mcp.d.ts"),
      step("plugboard remove files", "- Removed"),
      step("plugboard add files --env KEY=keychain:files -- npx -y some-server", '+ Added server "files"'),
    ],
  ],
  [
    "newer versions",
    "own",
    [
      step("plugboard outdated", "2025.7.29 → 2025.8.21"),
      step("plugboard outdated files --tools", "files: the tools stay the same."),
      asks("plugboard upgrade files", '+    "@modelcontextprotocol/server-filesystem@2025.8.21"'),
      step("plugboard upgrade files --to 2025.8.21 --tools --yes", '✓ "files" uses version 2025.8.21'),
    ],
  ],
  [
    "offers of all servers",
    "own",
    [
      step("plugboard status", "servers connected"),
      step("plugboard status --watch", "docs: connected", { isEndless: true }),
      step("plugboard reload", "servers connected"),
      step("plugboard tools", "docs · 1 tool"),
      step("plugboard tools --budget", "all definitions"),
      step('plugboard tools --search "create an issue"', "create_directory"),
      step("plugboard forget usage", "learned"),
      step("plugboard resources docs", "note://welcome"),
      step("plugboard read docs note://welcome", "hello"),
      step("plugboard prompts docs", "summarize(topic)"),
      step("plugboard prompt docs summarize topic=tea", "Summarize tea."),
      step("plugboard pins", "repo    unchanged"),
      step("plugboard pins diff", "repo\n  unchanged"),
      step("plugboard pins diff repo", "repo\n  unchanged"),
      step("plugboard pins accept repo", "No tools changed"),
      step("plugboard lock", "Locked"),
      step("plugboard lock --scope user", "Locked"),
      step("plugboard verify", "mcp.lock.json"),
      step("plugboard verify --sarif", "sarif-2.1.0"),
      step("plugboard inventory", '"bomFormat": "CycloneDX"'),
      step("plugboard inventory > servers.cdx.json", ""),
      step("plugboard inventory --format sarif", "sarif-2.1.0"),
      step("plugboard advisories", "advisories update --from"),
      step("plugboard advisories update", "No address for advisories is configured.", { code: 2 }),
      step("plugboard advisories update --from advisories.json", "✓ 1 advisor"),
      step("plugboard tools -- npx -y @modelcontextprotocol/server-everything", "echo(message)"),
      step("plugboard call echo message=hi -- npx -y @modelcontextprotocol/server-everything", "Echo: hi"),
      step("plugboard tools --url https://mcp.example.com/mcp", "search(q?)"),
      step(
        "plugboard test --url https://mcp.example.com/mcp --token env:ISSUES_TOKEN",
        "✓ Successfully connected",
      ),
    ],
  ],
  [
    "approving a project's server",
    "project",
    [
      asks("plugboard trust github", "sha256"),
      asks("plugboard trust github --json", '"reason": "trust"'),
      step(
        "plugboard trust github --yes --hash $(plugboard trust github | sed -n 's/^sha256 //p')",
        "✓ Approved.",
      ),
      step("plugboard trust --list", "github  active"),
      step("plugboard untrust github", "github"),
      step("plugboard import codex-toolloop", "looped: it requires your approval", { code: 1 }),
    ],
  ],
  [
    "signing in",
    "remote",
    [
      step("plugboard login github", "it is connected", { isSignIn: true }),
      step("plugboard login github --no-browser", "it is connected", { isSignIn: true }),
      step("plugboard login github --account work", "it is connected", { isSignIn: true }),
      step("plugboard auth status", "work"),
      step("plugboard auth status --json", '"signIns": ['),
      step("plugboard auth use github work", "work"),
      step("plugboard logout github", "github"),
    ],
  ],
  [
    "secrets",
    "own",
    [
      step("plugboard secret set github", "github", { input: "a secret" }),
      step("plugboard secret set token", "token", { input: "a secret" }),
      step("plugboard secret set anthropic-api-key", "anthropic-api-key", { input: "a secret" }),
      step("plugboard secret list", "github"),
      step("plugboard secret get github", "a secret"),
      step(
        "plugboard add github --url https://mcp.example.com/mcp --token keychain:github",
        '+ Added server "github"',
      ),
      step("plugboard secret rm github", "github"),
    ],
  ],
  [
    "adding and copying servers",
    "own",
    [
      step("plugboard search weather", "io.github.acme/weather"),
      step("plugboard search github", "io.github.acme/weather"),
      asks("plugboard add io.github.acme/weather", '["-y","weather@1.0.0"]'),
      asks("plugboard add io.github.acme/weather@1.0.0", '["-y","weather@1.0.0"]'),
      asks("plugboard add io.github.acme/weather --via npm", '["-y","weather@1.0.0"]'),
      step("plugboard add issues --url https://mcp.example.com/mcp", '+ Added server "issues" to project'),
      step(
        "plugboard add issues --url https://mcp.example.com/mcp --token env:ISSUES_TOKEN --scope user",
        '+ Added server "issues" to user',
      ),
      step("plugboard add filesystem .", '+ Added server "filesystem"'),
      step("plugboard export zed github --print", '"github"'),
      step("plugboard disable github", '✓ Disabled "github"'),
      step("plugboard use work files github", '✓ Using the profile "work"'),
      step("plugboard export codex github --scope project", "github", { code: 1 }),
      step("plugboard import claude-code github", '+ Added server "github"'),
      step("plugboard import cursor", '+ Added server "theirs"'),
      ...["claude-code", "claude-desktop", "vscode", "opencode", "omp"].map((tool) =>
        step(`plugboard import ${tool}`, "theirs", { code: 1 }),
      ),
      asks("plugboard export vscode", "--- ~/.config/Code/User/mcp.json"),
      asks("plugboard export cursor", "--- ~/.cursor/mcp.json"),
      asks("plugboard export claude-code --gateway", '"args": ["serve", "--stdio"]'),
      asks("plugboard sync --to cursor,vscode", "--- ~/.cursor/mcp.json"),
      asks("plugboard sync --to cursor,vscode,gemini", "--- ~/.cursor/mcp.json"),
    ],
  ],
  [
    "writing a server",
    "own",
    [
      step("plugboard add notes -- node own-server.mjs", '+ Added server "notes"'),
      step("plugboard test notes", '✓ Successfully connected to "notes"'),
      step("plugboard tools notes --refresh", "search(query)"),
      step("plugboard call notes search query=tea", "Tea: four minutes"),
      step("plugboard call notes search query=tea --json", '"isError": false'),
      step("plugboard logs notes", "notes is ready"),
      step("plugboard doctor notes", "0 errors."),
      step("plugboard pins diff notes", "unchanged"),
      step("plugboard pins accept notes", "No tools changed"),
    ],
  ],
  [
    "the gateway and the daemon",
    "own",
    [
      step("plugboard serve --stdio", ""),
      step("plugboard audit --since 1h", "No recorded requests match."),
      step("plugboard audit --since 1h --outcome failed", "No recorded requests match."),
      step("plugboard daemon status", "The daemon is not running."),
      step("plugboard daemon start", "The daemon runs"),
      step("plugboard daemon restart", "The daemon runs"),
      step("plugboard ps", ""),
      step("plugboard tasks", "No unfinished tasks."),
      step("plugboard daemon stop", ""),
    ],
  ],
  [
    "one prompt",
    "own",
    [
      step('plugboard --print "Which issues are open?"', "An answer."),
      step('git diff | plugboard -p "Write a commit message for this."', "An answer."),
      step("plugboard -p - < prompt.txt", "An answer."),
      step('plugboard -p "/docs:summarize topic=tea" --model ollama/qwen3', "An answer."),
      step('plugboard -p "Compare @docs:note://a with @docs:note://b" --json', '"exitCode":0'),
    ],
  ],
];
/** Servers that connect at the same time share a line. */
const CONNECTED = /● (?:docs|\d servers) connected/;
/** The same on a terminal, in one home: what the screen shows, and what the user then types. */
const ON_TERMINAL: readonly (readonly [
  line: string,
  shows: string | RegExp,
  types: readonly string[],
  ends: string,
])[] = [
  ["plugboard", CONNECTED, ["hello", KEYS.enter], "An answer."],
  ["plugboard --model ollama/qwen3", "ollama/qwen3", [], ""],
  ["plugboard --continue", "Continuing a conversation", [], ""],
  ["plugboard --resume", "Continue which conversation?", [KEYS.enter], "Continuing a conversation"],
  ["plugboard --linear", CONNECTED, [], ""],
];

const AFTER_CHAT = [
  step('plugboard -p "And now?" --continue', "An answer."),
  step("plugboard --verbose", "server.found server=docs"),
];

let world: CommandWorld;
beforeAll(async () => {
  world = await createCommandWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

/** Types the line into a shell. Remote servers of the documents do not exist, so another one takes their place if it is contacted. */
function run({ line, says, input = "", isSignIn = false, isEndless = false }: Step, sandbox: Sandbox) {
  const typed = /^plugboard (?:tools|test) /.test(line)
    ? line.replace("https://mcp.example.com/mcp", world.url)
    : line;
  return new Promise<{ readonly code: unknown; readonly text: string }>((done) => {
    let text = "";
    const child = execFile("sh", ["-c", `exec ${typed}`.replace("exec git", "git")], {
      cwd: sandbox.project,
      env: sandbox.env(),
      timeout: 30_000,
    });
    const read = (chunk: string): void => {
      text += chunk;
      const url = isSignIn ? /^ *(http:\S+)$/m.exec(text.slice(0, text.lastIndexOf("\n")))?.[1] : undefined;
      if (url !== undefined) {
        isSignIn = false;
        void browse(url);
      }
      if (isEndless && text.includes(says)) child.kill("SIGINT");
    };
    child.stdout?.on("data", read);
    child.stderr?.on("data", read);
    child.stdin?.on("error", () => {}); // most commands do not read it
    child.stdin?.end(input);
    child.on("close", (code) => done({ code, text }));
  });
}

describe("the commands that the documents show work", () => {
  test.each(TOPICS)("%s", { timeout: 100_000 }, async (_, github, steps) => {
    await using sandbox = await world.reader(github);
    for (const each of steps) {
      const { code, text } = await run(each, sandbox);
      const { line, says } = each;
      const wanted = each.isEndless === true ? 130 : (each.code ?? 0);
      expect({ line, code, text }).toEqual({ line, code: wanted, text: expect.stringContaining(says) });
    }
  });

  test.skipIf(!hasPty)("on a terminal", { timeout: 100_000 }, async () => {
    await using sandbox = await world.reader("own");
    for (const [line, shows, types, ends] of ON_TERMINAL) {
      await using program = startOnPty([], { sandbox, columns: 100, command: ["sh", "-c", line] });
      await program.waitForText(shows);
      program.type(...types);
      await program.waitForText(ends);
      program.enter("/quit");
      expect([line, (await program.ended).code]).toEqual([line, 0]);
    }
    for (const each of AFTER_CHAT) {
      const { code, text } = await run(each, sandbox);
      expect({ line: each.line, code, text }).toMatchObject({
        code: 0,
        text: expect.stringContaining(each.says),
      });
    }
  });

  test("none is missing here", () => {
    const steps = [...TOPICS.flatMap(([, , all]) => all), ...AFTER_CHAT];
    const tried = [...steps.map(({ line }) => line), ...ON_TERMINAL.map(([line]) => line)];
    const all = [...tried, ...Object.keys(ELSEWHERE)];
    expect([...shown].filter((line) => !all.includes(line))).toEqual([]);
    expect(Object.keys(ELSEWHERE).filter((line) => !shown.has(line))).toEqual([]);
  });
});
