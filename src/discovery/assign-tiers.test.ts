import { describe, expect, test } from "vitest";
import { createFakePorts } from "../../test/support/fake-ports.ts";
import { DEFAULT_SETTINGS } from "../config/index.ts";
import { findOwnPaths } from "../state/index.ts";
import { createMemoryFiles } from "../testing/index.ts";
import { assignTiers } from "./assign-tiers.ts";
import { discover } from "./discover.ts";
import { PROVIDERS } from "./providers/index.ts";
import { findWhere } from "./where.ts";

const SERVERS = JSON.stringify({ mcpServers: { one: { command: "x" } } });
const REPOSITORY = "/repo/.git/HEAD";

interface Situation {
  readonly platform?: string;
  readonly home: string | undefined;
  readonly account?: string | undefined;
  readonly cwd: string;
  readonly variables?: Readonly<Record<string, string>>;
  /** Folders that are links, and their targets. */
  readonly links?: Readonly<Record<string, string>>;
}

/** Returns tier, tool and file of each server found. Every file contains one server. */
async function find(paths: readonly string[], situation: Situation) {
  const { platform = "linux", home, account, cwd, variables = {}, links = {} } = situation;
  const memory = createMemoryFiles(new Map(paths.map((path) => [path, SERVERS])));
  const follow = (path: string): string => {
    const link = Object.keys(links).find((from) => path === from || path.startsWith(`${from}/`));
    return link === undefined ? path : `${links[link]}${path.slice(link.length)}`;
  };
  const files = {
    ...memory,
    read: (path: string, limit?: number) => memory.read(follow(path), limit),
    kind: (path: string) => memory.kind(follow(path)),
    present: async (candidates: readonly string[]) => {
      const existing = await memory.present(candidates.map(follow));
      return new Set(candidates.filter((path) => existing.has(follow(path))));
    },
    realPath: async (path: string) => follow(path),
  };
  const environment = { platform, home, accountHome: () => account, cwd, variables };
  const { declarations, problems } = await discover({
    ports: createFakePorts(files),
    environment,
    places: findOwnPaths(environment),
    settings: DEFAULT_SETTINGS,
  });
  return {
    found: declarations.map(({ provenance: { tier, tool, file } }) => `${tier} ${tool} ${file}`),
    problems: problems.map(({ code, message }) => `${code}: ${message}`),
  };
}

describe("if the home folder is the working folder", () => {
  const files = [
    "/checkout/.plugboard/mcp.json",
    "/checkout/.cursor/mcp.json",
    "/checkout/.codeium/windsurf/mcp_config.json",
  ];

  test("files are the user's if it is the account's own", async () => {
    const { found } = await find(files, { home: "/checkout", account: "/checkout", cwd: "/checkout" });
    expect(found).toEqual([
      "user plugboard /checkout/.plugboard/mcp.json",
      "user cursor /checkout/.cursor/mcp.json",
      "user windsurf /checkout/.codeium/windsurf/mcp_config.json",
    ]);
  });

  test.each([
    ["another folder", "/root"],
    ["no folder", undefined],
  ])(
    "files that a tool also reads as project files are the project's if the account has %s",
    async (_, account) => {
      const { found } = await find(files, { home: "/checkout", account, cwd: "/checkout" });
      expect(found).toEqual([
        "project plugboard /checkout/.plugboard/mcp.json",
        "project cursor /checkout/.cursor/mcp.json",
        "user windsurf /checkout/.codeium/windsurf/mcp_config.json",
      ]);
    },
  );

  test("a link to the working folder counts as the working folder", async () => {
    const { found } = await find(files, {
      home: "/link",
      account: "/root",
      cwd: "/checkout",
      links: { "/link": "/checkout" },
    });
    expect(found.filter((line) => !line.includes("windsurf"))).toEqual([
      "project plugboard /checkout/.plugboard/mcp.json",
      "project cursor /checkout/.cursor/mcp.json",
    ]);
  });

  test("the account's own folder is recognized through a link", async () => {
    const { found } = await find(files.slice(0, 1), {
      home: "/checkout",
      account: "/link",
      cwd: "/checkout",
      links: { "/link": "/checkout" },
    });
    expect(found).toEqual(["user plugboard /checkout/.plugboard/mcp.json"]);
  });
});

describe("in a repository", () => {
  const inRepository = [
    "/repo/.plugboard/mcp.json",
    "/repo/.cursor/mcp.json",
    "/repo/.codeium/windsurf/mcp_config.json",
    "/repo/.claude.json",
    "/repo/.config/goose/config.yaml",
  ];
  const tiersOf = async (situation: Situation, files = inRepository): Promise<Set<string | undefined>> => {
    const { found } = await find([REPOSITORY, ...files], situation);
    expect(found.length).toBeGreaterThan(0);
    return new Set(found.map((line) => line.split(" ")[0]));
  };

  test.each([
    ["the repository itself", "/repo", "/repo"],
    ["the repository, with a slash", "/repo/", "/repo"],
    ["the repository, in another spelling", "/repo/../repo/.", "/repo"],
    ["the repository, seen from a folder in it", "/repo", "/repo/src"],
  ])("no file is the user's if the home folder is %s", async (_, home, cwd) => {
    expect(await tiersOf({ home, account: "/root", cwd })).toEqual(new Set(["project"]));
  });

  test("no file is the user's if the home folder is inside the repository", async () => {
    const files = ["/repo/home/.cursor/mcp.json", "/repo/home/.plugboard/mcp.json"];
    expect(await tiersOf({ home: "/repo/home", account: "/root", cwd: "/repo" }, files)).toEqual(
      new Set(["project"]),
    );
  });

  test("no file is the user's if the home folder is a link to the repository", async () => {
    const links = { "/link": "/repo" };
    expect(await tiersOf({ home: "/link", account: "/root", cwd: "/repo", links })).toEqual(
      new Set(["project"]),
    );
    expect(await tiersOf({ home: "/repo", account: "/root", cwd: "/link", links })).toEqual(
      new Set(["project"]),
    );
  });

  test("all files are the user's if the repository is the account's own home folder", async () => {
    expect(await tiersOf({ home: "/repo", account: "/repo", cwd: "/repo" })).toEqual(new Set(["user"]));
  });

  test.each(["/", "/home/me"])("files in a home folder %s outside it are the user's", async (home) => {
    const file = home === "/" ? "/.cursor/mcp.json" : `${home}/.cursor/mcp.json`;
    const { found } = await find([REPOSITORY, file, "/repo/.cursor/mcp.json"], {
      home,
      account: "/root",
      cwd: "/repo",
    });
    expect(found.sort()).toEqual(["project cursor /repo/.cursor/mcp.json", `user cursor ${file}`]);
  });
});

describe("without a home folder", () => {
  const files = [REPOSITORY, "/repo/.plugboard/mcp.json", "/repo/.cursor/mcp.json"];

  test("there is no user tier, and one problem reports that", async () => {
    const { found, problems } = await find(files, { home: undefined, cwd: "/repo" });
    expect(found).toEqual([
      "project plugboard /repo/.plugboard/mcp.json",
      "project cursor /repo/.cursor/mcp.json",
    ]);
    expect(problems).toEqual([
      "home-missing: There is no home folder, so your own config files are not read and nothing is saved. Set HOME to an absolute path.",
    ]);
  });

  test.each([
    ["linux", { CODEX_HOME: "/repo/codex", XDG_CONFIG_HOME: "/repo/config" }],
    ["darwin", {}],
  ])("no variable restores the user tier on %s", async (platform, variables) => {
    const paths = [...files, "/repo/codex/config.toml", "/repo/config/amp/settings.json"];
    const { found } = await find(paths, { platform, home: undefined, cwd: "/repo", variables });
    expect(found.filter((line) => !line.startsWith("project"))).toEqual([]);
  });

  test("PLUGBOARD_HOME sets the user's own file", async () => {
    const { found, problems } = await find(["/moved/mcp.json"], {
      home: undefined,
      cwd: "/repo",
      variables: { PLUGBOARD_HOME: "/moved" },
    });
    expect(found).toEqual(["user plugboard /moved/mcp.json"]);
    expect(problems).toEqual([
      "home-missing: There is no home folder, so your own config files are not read. Set HOME to an absolute path.",
    ]);
  });
});

describe("a variable that contains a path", () => {
  /** Variables, and the file that each could turn into the user's or an administrator's. */
  const VARIABLES: readonly (readonly [string, string, string])[] = [
    ["CLAUDE_CONFIG_DIR", "sub", "sub/.claude.json"],
    ["CLINE_DIR", "sub", "sub/data/settings/cline_mcp_settings.json"],
    ["CLINE_MCP_SETTINGS_PATH", "sub/x.json", "sub/x.json"],
    ["COPILOT_HOME", "sub", "sub/mcp-config.json"],
    ["GEMINI_CLI_HOME", "sub", "sub/.gemini/settings.json"],
    ["GEMINI_CLI_SYSTEM_SETTINGS_PATH", "sub/x.json", "sub/x.json"],
    ["GEMINI_CLI_SYSTEM_DEFAULTS_PATH", "sub/x.json", "sub/x.json"],
    ["MCPORTER_CONFIG", "sub/x.json", "sub/x.json"],
    ["MCP_CATALOG_PATH", "sub/x.json", "sub/x.json"],
    ["PI_CODING_AGENT_DIR", "sub", "sub/mcp.json"],
    ["QWEN_HOME", "sub", "sub/settings.json"],
    ["XDG_CONFIG_HOME", "sub", "sub/mcporter/mcporter.json"],
  ];

  test.each(VARIABLES)("%s=%s leaves %s in the project tier", async (variable, value, file) => {
    const { found } = await find([`/checkout/${file}`], {
      home: "/home/me",
      account: "/home/me",
      cwd: "/checkout",
      variables: { [variable]: value },
    });
    expect(new Set(found.map((line) => line.split(" ")[0]))).toEqual(new Set(["project"]));
  });

  test.each(VARIABLES)("%s with an absolute path is used", async (variable, value, file) => {
    const { found } = await find([`/elsewhere/${file}`], {
      home: "/home/me",
      account: "/home/me",
      cwd: "/checkout",
      variables: { [variable]: `/elsewhere/${value}` },
    });
    expect(found.length).toBeGreaterThan(0);
    expect(found.filter((line) => line.startsWith("project"))).toEqual([]);
  });

  test("does not turn a project file of the same tool into the user's", async () => {
    const { found } = await find([REPOSITORY, "/repo/.plugboard/mcp.json"], {
      home: "/home/me",
      account: "/home/me",
      cwd: "/repo",
      variables: { PLUGBOARD_HOME: "/repo/.plugboard" },
    });
    expect(found).toEqual(["project plugboard /repo/.plugboard/mcp.json"]);
  });
});

/** Returns the tier of every file that a provider would read, by path. */
async function settledOn(platform: string, home: string, variables: Readonly<Record<string, string>>) {
  const environment = { platform, home, cwd: "C:\\work", variables };
  const where = await findWhere(createMemoryFiles(), environment, findOwnPaths(environment));
  const files = PROVIDERS.flatMap((provider) => assignTiers(provider.files(where), where));
  const tiers = new Map<string, Set<string>>();
  for (const { paths, tier } of files)
    for (const path of paths) tiers.set(path, (tiers.get(path) ?? new Set()).add(tier));
  return new Map([...tiers].map(([path, found]) => [path, [...found]]));
}

test.each([
  ["C:\\ProgramData\\OpenAI\\Codex\\config.toml", {}],
  ["C:\\ProgramData\\opencode\\opencode.json", {}],
  ["C:\\ProgramData\\gemini-cli\\settings.json", {}],
  ["C:\\ProgramData\\gemini-cli\\system-defaults.json", {}],
  ["C:\\ProgramData\\qwen-code\\settings.json", {}],
  ["C:\\ProgramData\\ampcode\\managed-settings.json", {}],
  ["D:\\Shared\\ampcode\\managed-settings.json", { ProgramData: "D:\\Shared" }],
  ["c:\\programdata\\x\\.cursor\\mcp.json", { home: "c:\\programdata\\x" }],
])(
  "%s, which any Windows user can create, requires approval",
  async (file, { home, ...variables }: Record<string, string>) => {
    const settled = await settledOn("win32", home ?? "C:\\Users\\me", variables);
    expect(settled.get(file)).toEqual(["project"]);
  },
);

test("a file in Program Files keeps the managed tier", async () => {
  const settled = await settledOn("win32", "C:\\Users\\me", {});
  expect(settled.get("C:\\Program Files\\ClaudeCode\\managed-mcp.json")).toEqual(["managed"]);
});
