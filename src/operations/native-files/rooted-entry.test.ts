import { expect, test } from "vitest";
import { rootedEntry } from "./rooted-entry.ts";

const rooted = (entry: Parameters<typeof rootedEntry>[0], root?: string) =>
  rootedEntry(entry, { from: "/repo/sub", root, platform: "linux" });

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
