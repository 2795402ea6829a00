import { expect, test } from "vitest";
import { carriedEntry, rebasePaths } from "./rebase-paths.ts";

const rooted = (entry: Parameters<typeof rebasePaths>[0], root?: string) =>
  rebasePaths(entry, { from: "/repo/sub", root, platform: "linux" });

test("relative paths to code become absolute for the user's file", () => {
  expect(rooted({ command: "./run", args: ["./x"] })).toEqual({ command: "/repo/sub/run", args: ["./x"] });
  expect(rooted({ command: "node", args: ["--import", "./a.mjs", "server.mjs", "--config", "./c"] })).toEqual(
    {
      command: "node",
      args: ["--import", "/repo/sub/a.mjs", "/repo/sub/server.mjs", "--config", "./c"],
    },
  );
  expect(rooted({ command: "node", args: ["x.mjs"], cwd: ".." })).toEqual({
    command: "node",
    args: ["x.mjs"],
    cwd: "/repo",
  });
});

test.each([
  ["${A:-server.mjs}", "${A:-/repo/sub/server.mjs}"],
  ["${A:-.}/server.mjs", "${A:-/repo/sub}/server.mjs"],
  ["${A:-../lib}/server.mjs", "${A:-/repo/lib}/server.mjs"],
  ["${A:-ser}ver.mjs", "${A:-/repo/sub/ser}ver.mjs"],
  ["${A:-}server.mjs", "${A:-/repo/sub/}server.mjs"],
  ["${A:-/abs}/server.mjs", "${A:-/abs}/server.mjs"],
  ["${A:-~}/server.mjs", "${A:-~}/server.mjs"],
  ["${A:-${B}}/server.mjs", "${A:-${B}}/server.mjs"],
])("the default in %s is rewritten", (script, written) => {
  expect(rooted({ command: "node", args: [script] })["args"]).toEqual([written]);
  expect(rooted({ command: "${NODE:-node}", args: [script] })["args"]).toEqual([written]);
  expect(rooted({ command: "x", cwd: script })["cwd"]).toBe(written);
});

test("relative paths are rewritten for the folder of the project's file", () => {
  expect(rooted({ command: "node", args: ["../tools/x.mjs"] }, "/repo")["args"]).toEqual(["./tools/x.mjs"]);
  expect(rooted({ command: "node", args: ["x.mjs"] }, "/repo")["args"]).toEqual(["./sub/x.mjs"]);
  expect(rooted({ command: "../../x" }, "/repo")["command"]).toBe("../x");
});

test.each([
  [{ command: "npx", args: ["-y", "server", "."] }],
  [{ command: "python", args: ["-m", "server"] }],
  [{ command: "node", args: ["-r", "dotenv/config", "/abs/x.mjs"] }],
  [{ command: "node", args: ["${HOME}/x.mjs"] }],
  [{ command: "deno", args: ["run", "-A", "npm:server"] }],
  [{ url: "https://example.com/mcp" }],
])("arguments that are not paths into the folder stay unchanged: %j", (entry) => {
  expect(rooted(entry)).toEqual(entry);
});

test.each([undefined, "/repo", "/other"])(
  "a project's entry that depends on its folder keeps it in a file for %j",
  async (root) => {
    const where = { from: "/repo/sub", root, platform: "linux" };
    const cwd = root === undefined ? "/repo/sub" : root === "/repo" ? "./sub" : "../repo/sub";
    const shell = { command: "sh", args: ["-c", "bash server.sh"] };
    expect(await carriedEntry(shell, where)).toEqual({ ...shell, cwd });
    const named = { command: "node", args: ["${PWD}/x.mjs", "PWD"], env: { A: "PWD", B: "${PWD:-x}/y" } };
    expect(await carriedEntry(named, where)).toEqual({
      command: "node",
      args: ["/repo/sub/x.mjs", "PWD"],
      env: { A: "/repo/sub", B: "/repo/sub/y" },
    });
  },
);

test("a project's entry loses what only the user's own files can decide", async () => {
  const where = { from: "/repo", root: undefined, platform: "linux" };
  const npx = { command: "npx", args: ["x"] };
  expect(await carriedEntry({ ...npx, resolveInProject: true }, where)).toEqual({ ...npx, cwd: "/repo" });
  expect(
    await carriedEntry({ url: "https://h.test", oauth: { clientId: "a", allowNoPkce: true } }, where),
  ).toEqual({ url: "https://h.test", oauth: { clientId: "a" } });
});

test("an entry with many unclosed placeholders is carried over in linear time", async () => {
  const text = "${PWD:-".repeat(120_000);
  const others = ["${a", "${a:-", "${{"].map((opening) => opening.repeat(120_000));
  const entry = { command: "x", args: [text, `${text}}`, ...others, `${others[0]}:}`] };
  const where = { from: "/repo", root: undefined, platform: "linux" };
  expect((await carriedEntry(entry, where))["args"]).toEqual([text, "/repo", ...others, `${others[0]}:}`]);
});
