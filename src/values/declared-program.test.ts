import { describe, expect, test } from "vitest";
import { entryOf, PROJECT, USER } from "../../test/support/entries.ts";
import {
  type ExpansionRules,
  NATIVE_EXPANSION,
  type ServerDeclaration,
  type StdioLaunch,
} from "../model/index.ts";
import { commandPath, declaredProgram, workingFolder } from "./declared-program.ts";

type Facts = Partial<Pick<ServerDeclaration, "projectFolder">> & { expansion?: ExpansionRules };

const entryWith = ({ projectFolder, expansion = NATIVE_EXPANSION }: Facts = {}) => {
  const entry = entryOf("a", { command: "node" }, projectFolder === undefined ? USER : PROJECT);
  const { projectFolder: _, ...declaration } = entry.declaration;
  return {
    ...entry,
    declaration: { ...declaration, expansion, ...(projectFolder !== undefined && { projectFolder }) },
  };
};
const declarationWith = (facts: Facts = {}) => entryWith(facts).declaration;
const rules = (more: Partial<ExpansionRules>): ExpansionRules => ({ ...NATIVE_EXPANSION, ...more });

const ENVIRONMENT = {
  platform: "linux",
  home: "/home/me",
  cwd: "/checkout",
  variables: { HOME: "/home/me", BIN: "/opt/bin", NAME: "serve" },
};
const launchOf = (rest: Partial<StdioLaunch> = {}): StdioLaunch => ({
  transport: "stdio",
  command: "node",
  args: [],
  env: {},
  ...rest,
});

describe("the program of a launch", () => {
  test("is the command as written by default", () => {
    expect(declaredProgram(entryWith(), launchOf(), ENVIRONMENT)).toEqual({
      command: "node",
      cwd: undefined,
      path: undefined,
      shown: "node",
      holdsHidden: false,
    });
  });

  test("has its variables expanded, and hidden ones displayed as placeholders", () => {
    const launch = launchOf({ command: "${BIN}/${NAME}", cwd: "${HOME}/x", env: { PATH: "/usr/bin" } });
    expect(declaredProgram(entryWith(), launch, ENVIRONMENT)).toEqual({
      command: "/opt/bin/serve",
      cwd: "/home/me/x",
      path: "/usr/bin",
      shown: "${BIN}/${NAME}",
      holdsHidden: true,
    });
  });

  test.each<[string, Partial<StdioLaunch>, boolean]>([
    ["the command", { command: "${NAME}" }, true],
    ["the folder", { cwd: "/${NAME}" }, true],
    ["PATH", { env: { PATH: "${BIN}" } }, true],
    ["an argument", { args: ["${NAME}"] }, false],
    ["only a folder variable", { cwd: "${HOME}" }, false],
  ])("contains hidden values if they are in %s", (_, rest, expected) => {
    expect(declaredProgram(entryWith(), launchOf(rest), ENVIRONMENT)?.holdsHidden).toBe(expected);
  });

  test("is the wrapper, if there is one", () => {
    const launch = launchOf({ command: "${GONE}", wrap: ["${NAME}", "--x"] });
    expect(declaredProgram(entryWith(), launch, ENVIRONMENT)).toMatchObject({
      command: "serve",
      shown: "${NAME}",
    });
  });

  test.each<[string, Partial<StdioLaunch>]>([
    ["the command", { command: "${GONE}" }],
    ["the folder", { cwd: "${GONE}" }],
    ["PATH", { env: { PATH: "${GONE}" } }],
    ["a stored secret", { env: { PATH: "${keychain:path}" } }],
  ])("is unknown if a value is missing: %s", (_, rest) => {
    expect(declaredProgram(entryWith(), launchOf(rest), ENVIRONMENT)).toBeUndefined();
  });

  test.each([
    ["an input", "${input:x}"],
    ["a command", "$(id)"],
    ["an input and a command", "${input:x} $(id)"],
    ["an input and an unset variable", "${input:x} ${GONE}"],
  ])("is unknown if it contains %s", (_, command) => {
    const expansion = rules({ syntaxes: ["input", "shell", "braced"] });
    expect(declaredProgram(entryWith({ expansion }), launchOf({ command }), ENVIRONMENT)).toBeUndefined();
  });

  test.each<[string[], object]>([
    [["env"], { command: "${NAME}", cwd: "/${NAME}", path: "/serve" }],
    [["command"], { command: "serve", cwd: "/${NAME}", path: "/${NAME}" }],
    [["cwd"], { command: "${NAME}", cwd: "/serve", path: "/${NAME}" }],
  ])("is expanded only in the fields that its tool expands: %j", (fields, expected) => {
    const entry = entryWith({ expansion: rules({ fields }) });
    const launch = launchOf({ command: "${NAME}", cwd: "/${NAME}", env: { PATH: "/${NAME}" } });
    expect(declaredProgram(entry, launch, ENVIRONMENT)).toMatchObject(expected);
  });

  test.each([
    [["command"], "${NAME}"],
    [["wrap"], "serve"],
  ])("that is a wrapper is expanded if its tool expands it: %j", (fields, command) => {
    const entry = entryWith({ expansion: rules({ fields }) });
    expect(declaredProgram(entry, launchOf({ wrap: ["${NAME}"] }), ENVIRONMENT)).toMatchObject({ command });
  });

  test("is known without an environment if it has no placeholders", () => {
    expect(declaredProgram(entryWith(), launchOf({ cwd: "/x", env: { PATH: "/bin" } }))).toEqual({
      command: "node",
      cwd: "/x",
      path: "/bin",
      shown: "node",
      holdsHidden: false,
    });
    expect(declaredProgram(entryWith(), launchOf({ command: "${NAME}" }))).toBeUndefined();
  });

  test("of a project is resolved from its folder, and so is its wrapper", () => {
    const entry = entryWith({ projectFolder: "/project" });
    expect(declaredProgram(entry, launchOf({ command: "./${NAME}" }), ENVIRONMENT)).toMatchObject({
      command: "/project/serve",
      shown: "/project/${NAME}",
    });
    expect(declaredProgram(entry, launchOf({ wrap: ["./w"] }), ENVIRONMENT)).toMatchObject({
      command: "/project/w",
    });
    // The folder of another tool's plugin applies to its commands, not to the user's own wrappers.
    const plugin = entryWith({ expansion: rules({ commandFolder: "/plugin" }) });
    expect(declaredProgram(plugin, launchOf({ wrap: ["./w"] }), ENVIRONMENT)).toMatchObject({
      command: "./w",
    });
    expect(declaredProgram(plugin, launchOf({ command: "./c" }), ENVIRONMENT)).toMatchObject({
      command: "/plugin/c",
    });
  });

  test("follows the rules of its platform", () => {
    const entry = entryWith({ projectFolder: "/project" });
    const launch = launchOf({ command: "bin\\x" });
    const on = (platform: string) => declaredProgram(entry, launch, { ...ENVIRONMENT, platform })?.command;
    expect([on("linux"), on("win32")]).toEqual(["bin\\x", "/project/bin\\x"]);
    expect(declaredProgram(entry, launch, undefined, "win32")?.command).toBe("/project/bin\\x");
    expect(declaredProgram(entry, launch)?.command).toBe("bin\\x");
  });
});

describe("a command that is a path", () => {
  test.each<[string, Facts, string | undefined, string]>([
    ["node", { projectFolder: "/p" }, undefined, "node"],
    ["./x", { projectFolder: "/p" }, undefined, "/p/x"],
    ["bin/x", { projectFolder: "/p" }, undefined, "/p/bin/x"],
    ["/abs/x", { projectFolder: "/p" }, undefined, "/abs/x"],
    ["~/x", { projectFolder: "/p" }, undefined, "~/x"],
    ["./x", { projectFolder: "/p" }, "/elsewhere", "./x"],
    ["./x", { projectFolder: "/p", expansion: rules({ baseFolder: "/b" }) }, undefined, "./x"],
    ["./x", {}, undefined, "./x"],
    ["./x", { expansion: rules({ commandFolder: "/c" }) }, "/elsewhere", "/c/x"],
    ["./x", { projectFolder: "/p", expansion: rules({ commandFolder: "/c" }) }, undefined, "/c/x"],
    ["bin\\x", { expansion: rules({ commandFolder: "/c" }) }, undefined, "/c/bin\\x"],
    ["node", { expansion: rules({ commandFolder: "/c" }) }, undefined, "node"],
    ["/abs/x", { expansion: rules({ commandFolder: "/c" }) }, undefined, "/abs/x"],
  ])("%s of %j, started in %s, is %s", (command, facts, cwd, expected) => {
    expect(commandPath(command, declarationWith(facts), { platform: "linux", cwd })).toBe(expected);
  });
});

test.each<[string | undefined, Facts, string | undefined]>([
  [undefined, {}, undefined],
  ["sub", {}, "sub"],
  ["/abs", { projectFolder: "/p", expansion: rules({ baseFolder: "/b" }) }, "/abs"],
  [undefined, { expansion: rules({ baseFolder: "/b" }) }, "/b"],
  ["sub", { projectFolder: "/p", expansion: rules({ baseFolder: "/b" }) }, "/b/sub"],
  ["sub", { projectFolder: "/p" }, "/p/sub"],
  [undefined, { projectFolder: "/p" }, undefined],
])("a launch with the folder %s of %j starts in %s", (cwd, facts, expected) => {
  expect(workingFolder(cwd, declarationWith(facts))).toBe(expected);
});
