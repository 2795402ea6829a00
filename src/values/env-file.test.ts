import { describe, expect, test } from "vitest";
import { entryOf, PROJECT, USER } from "../../test/support/entries.ts";
import { type ExpansionRules, NATIVE_EXPANSION, type StdioLaunch } from "../model/index.ts";
import { createMemoryFiles } from "../testing/index.ts";
import { changesWhatRuns, envFilePath, MAX_ENV_FILE_BYTES, parseEnvFile, readEnvFile } from "./env-file.ts";

interface Folders {
  readonly projectFolder?: string;
  readonly baseFolder?: string;
}
const entryIn = ({ projectFolder, baseFolder }: Folders = {}) => {
  const entry = entryOf(
    "a",
    { command: "node", resolveInProject: true },
    projectFolder === undefined ? USER : PROJECT,
  );
  const { projectFolder: _, ...declaration } = entry.declaration;
  const expansion: ExpansionRules = { ...NATIVE_EXPANSION, ...(baseFolder !== undefined && { baseFolder }) };
  return {
    ...entry,
    declaration: { ...declaration, expansion, ...(projectFolder !== undefined && { projectFolder }) },
  };
};
const launchWith = (envFile?: string): StdioLaunch => ({
  transport: "stdio",
  command: "node",
  args: [],
  env: {},
  ...(envFile !== undefined && { envFile }),
});
const environment = {
  platform: "linux",
  home: "/home/me",
  cwd: "/checkout",
  variables: { NAME: "secret", HOME: "/home/me" },
};

describe("the path of an envFile", () => {
  test.each<[string, Folders, string, string]>([
    [".env", {}, "/checkout/.env", "/checkout/.env"],
    [".env", { baseFolder: "/base" }, "/base/.env", "/base/.env"],
    [".env", { projectFolder: "/project", baseFolder: "/base" }, "/project/.env", "/project/.env"],
    ["${NAME}.env", { projectFolder: "/project" }, "/project/secret.env", "/project/${NAME}.env"],
    ["/etc/${NAME}", { projectFolder: "/project" }, "/etc/secret", "/etc/${NAME}"],
    ["${HOME}/.env", {}, "/home/me/.env", "/home/me/.env"],
  ])("%s in %j is %s and is displayed as %s", (envFile, folders, path, shown) => {
    expect(envFilePath(entryIn(folders), launchWith(envFile), environment)).toEqual({ path, shown });
  });

  test("is undefined for a launch without an envFile", () => {
    expect(envFilePath(entryIn(), launchWith(), environment)).toBeUndefined();
  });
});

describe("reading an envFile", () => {
  const read = (envFile: string | undefined, contents: Record<string, string>) =>
    readEnvFile(entryIn(), launchWith(envFile), {
      environment,
      files: createMemoryFiles(new Map(Object.entries(contents))),
    });

  test("returns its variables", async () => {
    expect(await read(".env", { "/checkout/.env": "A=1\nB=2" })).toEqual({
      path: "/checkout/.env",
      variables: new Map([
        ["A", "1"],
        ["B", "2"],
      ]),
    });
  });

  test("returns undefined for a launch without an envFile", async () => {
    expect(await read(undefined, { "/checkout": "A=1" })).toBeUndefined();
  });

  test.each<[string, string, boolean]>([
    ["a relative path", ".env", false],
    ["a path with the working folder", "${PWD}/.env", false],
    ["an absolute path", "/checkout/.env", true],
    ["a path with another variable", "${HOME}/.env", true],
  ])("of a user's server does not depend on the working folder: %s", async (_, envFile, isRead) => {
    const contents = { "/checkout/.env": "A=1", "/home/me/.env": "A=1" };
    const found = await readEnvFile(entryOf("a", { command: "node" }, USER), launchWith(envFile), {
      environment: { ...environment, variables: { ...environment.variables, PWD: "/checkout" } },
      files: createMemoryFiles(new Map(Object.entries(contents))),
    });
    expect(found?.failure).toEqual(isRead ? undefined : { kind: "workingFolder" });
    expect([...(found?.variables ?? [])]).toEqual(isRead ? [["A", "1"]] : []);
  });

  test.each([
    ["a project's server", entryIn({ projectFolder: "/checkout" })],
    ["a server that is resolved in each project", entryIn()],
  ])("of %s may depend on the working folder", async (_, entry) => {
    const files = createMemoryFiles(new Map([["/checkout/.env", "A=1"]]));
    const found = await readEnvFile(entry, launchWith(".env"), { environment, files });
    expect(found).toStrictEqual({ path: "/checkout/.env", variables: new Map([["A", "1"]]) });
  });

  test("does not follow links out of a project", async () => {
    const files = {
      ...createMemoryFiles(new Map([["/etc/secrets", "A=1"]])),
      realPath: async (path: string) => (path === "/checkout/.env" ? "/etc/secrets" : path),
    };
    const entry = entryIn({ projectFolder: "/checkout" });
    expect(await readEnvFile(entry, launchWith(".env"), { environment, files })).toStrictEqual({
      path: "/checkout/.env",
      variables: new Map(),
      failure: { kind: "outside", leadsTo: "/etc/secrets" },
    });
  });

  test("reports a missing file", async () => {
    expect(await read(".env", {})).toEqual({
      path: "/checkout/.env",
      variables: new Map(),
      failure: { kind: "missing" },
    });
  });

  test.each([
    ["is a folder", { "/checkout/.env/x": "A=1" }, "EISDIR"],
    ["is larger than 1 MB", { "/checkout/.env": `A=${"x".repeat(1024 * 1024)}` }, "EFBIG"],
  ])("reports why a file that %s cannot be read", async (_, contents, code) => {
    expect(await read(".env", contents as Record<string, string>)).toEqual({
      path: "/checkout/.env",
      variables: new Map(),
      failure: { kind: "unreadable", error: expect.objectContaining({ code }) },
    });
  });

  test("reads a file of exactly 1 MB", async () => {
    expect(MAX_ENV_FILE_BYTES).toBe(1_048_576);
    const found = await read(".env", { "/checkout/.env": `A=${"x".repeat(MAX_ENV_FILE_BYTES - 2)}` });
    expect(found?.variables.get("A")).toHaveLength(MAX_ENV_FILE_BYTES - 2);
  });
});

describe("parsing an envFile", () => {
  test.each<[string, string, Record<string, string>]>([
    ["a line", "A=1", { A: "1" }],
    ["several lines", "A=1\nB=2\n", { A: "1", B: "2" }],
    ["Windows line endings", "A=1\r\nB=2\r\n", { A: "1", B: "2" }],
    ["a byte order mark", "\ufeffA=1\n", { A: "1" }],
    ["comments and empty lines", "# A=0\n\n  # x\nA=1 # not part of it\n", { A: "1" }],
    ["a hash inside a word", "A=a#b", { A: "a#b" }],
    ["surrounding spaces", "  A = 1  ", { A: "1" }],
    ["a leading export", "export A=1", { A: "1" }],
    ["double quotes", 'A="a # b"', { A: "a # b" }],
    ["a comment after quotes", 'A="a" # b', { A: "a" }],
    ["single quotes", "A='a \\n $B'", { A: "a \\n $B" }],
    ["line breaks and quotes in double quotes", 'A="a\\nb \\"c\\""', { A: 'a\nb "c"' }],
    ["a backslash in double quotes", 'A="C:\\\\new"', { A: "C:\\new" }],
    ["an empty value", "A=", { A: "" }],
    ["an equals sign in the value", "A=b=c==", { A: "b=c==" }],
    ["a placeholder, which is not expanded", "A=${B}", { A: "${B}" }],
    ["a duplicate name", "A=1\nA=2", { A: "2" }],
    ["a dot in a name", "a.b=1", { "a.b": "1" }],
    ["invalid lines", "A\n=1\n1A=2\nA-B=3\n", {}],
    ["a name that is special in JavaScript", "__proto__=1", { ["__proto__"]: "1" }],
  ])("an env file with %s", (_, text, expected) => {
    expect([...parseEnvFile(text)]).toEqual(Object.entries(expected));
  });

  test("1 MB of spaces is parsed in linear time", () => {
    const spaces = " ".repeat(1024 * 1024);
    expect([...parseEnvFile(`A=a${spaces}b\nB=${spaces}\nC=c${spaces}# d`)]).toEqual([
      ["A", `a${spaces}b`],
      ["B", ""],
      ["C", "c"],
    ]);
  });
});

test.each([
  ["1,000 variables", (index: number) => `A${index}=1`],
  ["20,000 lines", () => ""],
])("a text with more than %s is not an env file", (most, line) => {
  const limit = Number(most.replace(/\D/g, ""));
  const textOf = (count: number): string =>
    Array.from({ length: count }, (_, index) => line(index)).join("\n");
  expect(parseEnvFile(textOf(limit)).size).toBe(line(0) === "" ? 0 : limit);
  expect(() => parseEnvFile(textOf(limit + 1))).toThrow(`it has more than ${most}`);
});

describe("variables that change which code runs", () => {
  test.each([
    "LD_PRELOAD",
    "PATH",
    "Path",
    "node_options",
    "GIT_SSH_COMMAND",
    "PYTHONPATH",
    "PERL5OPT",
    "ComSpec",
    "HOME",
    "XDG_CONFIG_HOME",
    "PYTHONUSERBASE",
    "PYTHONINSPECT",
    "BUN_OPTIONS",
    "DENO_DIR",
    "TSX_TSCONFIG_PATH",
    "ZDOTDIR",
    "BUNDLE_GEMFILE",
    "R_PROFILE_USER",
    "R_LIBS",
    "JAVA_HOME",
    "SSH_ASKPASS",
    "GIT_DIR",
    "KUBECONFIG",
    "PUPPETEER_EXECUTABLE_PATH",
    "NODE_COMPILE_CACHE",
    "DOTNET_GCPath",
    "DYLD_INSERT_LIBRARIES",
    "BASH_ENV",
    "EDITOR",
    "RUBYOPT",
    "CLASSPATH",
    "JAVA_TOOL_OPTIONS",
    "DOTNET_STARTUP_HOOKS",
    "CORECLR_PROFILER",
    "npm_config_registry",
    "UV_INDEX_URL",
    "CARGO_HOME",
    "VOLTA_HOME",
    "GOFLAGS",
    "CC",
    "GIT_CONFIG_GLOBAL",
    "DOCKER_HOST",
  ])("%s changes which code runs", (name) => {
    expect(changesWhatRuns(name)).toBe(true);
  });

  test.each([
    "API_KEY",
    "PATHS",
    "MY_PATH",
    "NODE_ENV",
    "GIT_AUTHOR_NAME",
    "PYTHONUNBUFFERED",
    "NPM_TOKEN",
    "GIT_TOKEN",
    "ENV",
    "HOMEPAGE",
    "R_KEY",
    "GOOGLE_API_KEY",
    "",
    "OLD_PATH_",
    "CCC",
    "MY_EDITOR",
  ])("%s does not change which code runs", (name) => {
    expect(changesWhatRuns(name)).toBe(false);
  });
});
