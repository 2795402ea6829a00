import { describe, expect, test } from "vitest";
import type { Files, SpawnRequest } from "../platform/index.ts";
import { createMemoryFiles } from "../testing/index.ts";
import { quoteForBatch, toWindowsCommand } from "./windows-command.lazy.ts";

/** A Windows disk with these files, regardless of case. */
function windowsFiles(...paths: string[]): Files {
  const known = new Set(paths.map((path) => path.toLowerCase()));
  return {
    ...createMemoryFiles(),
    kind: async (path) => (known.has(path.toLowerCase()) ? "file" : undefined),
  };
}

const files = windowsFiles(
  "C:\\node\\node.exe",
  "C:\\node\\npx",
  "C:\\node\\npx.cmd",
  "C:\\repo\\npx.cmd",
  "C:\\repo\\tools\\serve.bat",
  "C:\\100% sure\\it.cmd",
);

async function started(
  command: string,
  args: readonly string[] = [],
  more: Partial<SpawnRequest["env"]> = {},
) {
  const env = {
    Path: "C:\\other;C:\\node;relative",
    SystemRoot: "C:\\Windows",
    ...more,
  } as SpawnRequest["env"];
  const { env: _, ...rest } = await toWindowsCommand({ command, args, cwd: "C:\\repo", env }, files);
  return rest;
}

describe("a command on Windows", () => {
  test("is found on PATH and started directly if it is a program", async () => {
    expect(await started("node", ["a b", "%PATH%"])).toEqual({
      command: "C:\\node\\node.EXE",
      args: ["a b", "%PATH%"],
      cwd: "C:\\repo",
    });
  });

  test("that is a batch file runs under cmd.exe, with its arguments quoted", async () => {
    expect(await started("npx", ["-y", "pkg@1.0.0", "a & b"])).toEqual({
      command: "C:\\Windows\\System32\\cmd.exe",
      args: ["/e:ON", "/v:OFF", "/d", "/c", '""C:\\node\\npx.CMD" -y pkg@1.0.0 "a & b""'],
      cwd: "C:\\repo",
      verbatim: true,
    });
  });

  test("is never taken from the working folder, where a project could have placed it", async () => {
    expect((await started("npx", [], { Path: ".;C:\\other" })).command).toBe(
      "C:\\Windows\\System32\\not-found\\npx",
    );
  });

  test("with a path is resolved from the working folder", async () => {
    expect((await started("tools\\serve.bat", [])).args.at(-1)).toBe('""C:\\repo\\tools\\serve.bat""');
    expect((await started("tools/serve", [])).args.at(-1)).toBe('""C:\\repo\\tools\\serve.BAT""');
  });

  test("with a percent sign in its path is not expanded", async () => {
    expect((await started("C:\\100% sure\\it.cmd")).args.at(-1)).toBe('""C:\\100%%cd:~,% sure\\it.cmd""');
  });

  test("that does not exist fails and is not looked up in the working folder", async () => {
    expect(await started("nothing", ["x"])).toEqual({
      command: "C:\\Windows\\System32\\not-found\\nothing",
      args: ["x"],
      cwd: "C:\\repo",
    });
    expect((await started("tools\\nothing")).command).toBe("tools\\nothing");
  });
});

test.each([
  ["plain-word_1.js", "plain-word_1.js"],
  ["@scope/pkg@1.2.3", "@scope/pkg@1.2.3"],
  ["", '""'],
  ["two words", '"two words"'],
  ["a&calc.exe", '"a&calc.exe"'],
  ['"&calc.exe', '"""&calc.exe"'],
  ["a|b>c<d^e", '"a|b>c<d^e"'],
  ["%PATH%", '"%%cd:~,%PATH%%cd:~,%"'],
  ["!PATH!", '"!PATH!"'],
  ["C:\\dir\\", '"C:\\dir\\\\"'],
  ["C:\\dir\\file", "C:\\dir\\file"],
  ['say \\"hi\\"', '"say \\\\""hi\\\\"""'],
  ["(x);y,z=1", '"(x);y,z=1"'],
  ["日本", '"日本"'],
])("%j is passed to a batch file as %s", (argument, quoted) => {
  expect(quoteForBatch(argument)).toBe(quoted);
});

test.each(["a\nb", "a\rb", "a\0b"])("%j cannot be passed and is refused", (argument) => {
  expect(() => quoteForBatch(argument)).toThrow("line break");
});

test("an argument of many backslashes is quoted in linear time", () => {
  const text = "\\".repeat(400_000);
  expect(quoteForBatch(`${text} `)).toBe(`"${text} "`);
});
