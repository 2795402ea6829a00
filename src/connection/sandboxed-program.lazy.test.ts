import { expect, test } from "vitest";
import { nodePorts } from "../platform/node/index.ts";
import type { SandboxPlan } from "../sandbox/index.ts";
import { sandboxedProgram } from "./sandboxed-program.lazy.ts";

const PLAN: SandboxPlan = {
  network: "none",
  hosts: [],
  env: ["WANTED"],
  data: "/state/data",
  read: [],
  project: ["/project"],
  pinned: [],
  protected: [],
  write: [],
  records: false,
  home: "/home/me",
  homeLinks: [],
};
const ENV = { PATH: "/usr/bin", HOME: "/home/me", WANTED: "1", DECLARED: "2", XDG_RUNTIME_DIR: "/run/x" };
const start = {
  asked: { command: "node", args: ["a.js"], cwd: "/project", env: ENV },
  plan: PLAN,
  declared: new Set(["DECLARED"]),
};
const filesWith = (...present: readonly string[]) => ({
  ...nodePorts().files,
  present: async (paths: readonly string[]) => new Set(paths.filter((path) => present.includes(path))),
  kind: async (path: string) => (present.includes(path) ? ("file" as const) : undefined),
  replace: async () => {},
});

test.each([
  ["win32", /no sandbox for this system/],
  ["freebsd", /no sandbox for this system/],
  ["linux", /bubblewrap is not installed/],
  ["darwin", /sandbox-exec does not exist/],
])("a server with a sandbox does not start without one on %s", async (platform, reason) => {
  await expect(sandboxedProgram(start, { platform }, filesWith())).rejects.toThrow(reason);
});

test("a sandboxed server gets only basic, declared and listed variables", async () => {
  const files = filesWith("/usr/bin/bwrap");
  const { env, inputs = [] } = await sandboxedProgram(start, { platform: "linux" }, files);
  expect(env).toEqual({}); // bubblewrap itself runs outside of the sandbox
  expect(variablesIn(inputs[0])).toEqual({
    PATH: "/usr/bin",
    WANTED: "1",
    DECLARED: "2",
    HOME: "/state/data",
    TMPDIR: "/tmp",
    npm_config_offline: "true",
    npm_config_logs_max: "0",
    npm_config_update_notifier: "false",
  });
});

test("a variable cannot add arguments to bubblewrap", async () => {
  const asked = { ...start.asked, env: { ...ENV, DECLARED: "x\0--bind\0/\0/" } };
  await expect(
    sandboxedProgram({ ...start, asked }, { platform: "linux" }, filesWith("/usr/bin/bwrap")),
  ).rejects.toThrow("null character");
});

/** Reads the variables from the arguments that bubblewrap gets. */
function variablesIn(input: Uint8Array | undefined): Record<string, string> {
  const words = new TextDecoder().decode(input).split("\0");
  return Object.fromEntries(
    words.flatMap((word, at) => (word === "--setenv" ? [[words[at + 1] ?? "", words[at + 2] ?? ""]] : [])),
  );
}

test("a server starts in its data folder if the sandbox hides its working folder", async () => {
  const elsewhere = { ...start, asked: { ...start.asked, cwd: "/elsewhere" } };
  const files = filesWith("/usr/bin/bwrap", "/usr/bin/prlimit");
  const inProject = await sandboxedProgram(start, { platform: "linux" }, files);
  const outside = await sandboxedProgram(elsewhere, { platform: "linux" }, files);
  expect(inProject.args.join(" ")).toMatch(/--chdir \/project -- \/usr\/bin\/prlimit .* -- node a\.js$/);
  expect(outside.args.join(" ")).toContain("--chdir /state/data -- ");
});

test("macOS starts the program with a generated profile", async () => {
  const files = filesWith("/usr/bin/sandbox-exec");
  const { command, args } = await sandboxedProgram(start, { platform: "darwin" }, files);
  expect(command).toBe("/usr/bin/sandbox-exec");
  expect(args).toEqual(["-p", expect.stringContaining("(deny default)"), "node", "a.js"]);
});
