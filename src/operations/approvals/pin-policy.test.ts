import { describe, expect, test } from "vitest";
import { PROJECT, serverOf } from "../../../test/support/entries.ts";
import type { JsonObject, Server } from "../../model/index.ts";
import { startsOwnScript } from "./pin-policy.ts";

const serverAt = (fields: JsonObject, projectFolder?: string): Server => {
  const server = serverOf("a", fields, PROJECT);
  return projectFolder === undefined
    ? server
    : { ...server, declaration: { ...server.declaration, projectFolder } };
};

describe("a server under development", () => {
  test.each<[JsonObject, boolean]>([
    [{ command: "node", args: ["server.mjs"] }, true],
    [{ command: "node", args: ["--import", "tsx", "./src/server.ts"] }, true],
    [{ command: "/usr/bin/python3", args: ["-u", "/repo/server.py"] }, true],
    [{ command: ".venv/bin/python", args: ["server.py"] }, true],
    [{ command: "./bin/server" }, true],
    [{ command: "node", args: ["server.mjs"], cwd: "packages/one" }, true],
    [{ command: "node", args: ["../other/server.mjs"] }, false],
    [{ command: "node", args: ["../server.mjs"], cwd: "packages" }, true],
    [{ command: "node", args: ["server.mjs"], cwd: "/elsewhere" }, false],
    [{ command: "node", args: ["/repo-other/server.mjs"] }, false],
    [{ command: "node", args: ["node_modules/pkg/server.js"] }, false],
    [{ command: "./node_modules/.bin/server" }, false],
    [{ command: "node", args: ["${FOLDER}/server.mjs"] }, false],
    [{ command: "node", args: ["-e", "code"] }, false],
    [{ command: "python", args: ["-m", "server"] }, false],
    [{ command: "npx", args: ["-y", "@scope/server"] }, false],
    [{ command: "server" }, false],
    [{ type: "http", url: "http://localhost:1/" }, false],
  ])("starts a script inside the project folder: %j is %s", (fields, isOwn) => {
    expect(startsOwnScript(serverAt(fields), { platform: "linux", cwd: "/repo" })).toBe(isOwn);
  });

  test("depends on the folder of its file and on the platform", () => {
    const inRepo = serverAt({ command: "node", args: ["/repo/server.mjs"] }, "/repo");
    expect(startsOwnScript(inRepo, { platform: "linux", cwd: "/repo/packages/one" })).toBe(true);
    const windows = (script: string) =>
      startsOwnScript(serverAt({ command: "node.exe", args: [script] }), {
        platform: "win32",
        cwd: "C:\\Work",
      });
    expect([windows("c:\\work\\server.mjs"), windows(".\\server.mjs"), windows("D:\\server.mjs")]).toEqual([
      true,
      true,
      false,
    ]);
    expect(windows("..\\server.mjs")).toBe(false);
  });
});
