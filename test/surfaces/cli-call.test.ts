import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CliResult, runCli } from "../support/run-cli.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";

/** Shared, so that the tools are listed once. Every call below still starts its own server. */
let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox();
  await sandbox.writeHome(".plugboard/mcp.json", { mcpServers: { tools: stdioServer("tools-server.mjs") } });
});
afterAll(() => sandbox[Symbol.asyncDispose]());

/** Returns the arguments that the tool `typed` received. */
async function received(args: readonly string[], input?: string): Promise<unknown> {
  const options = { sandbox, ...(input !== undefined && { input }) };
  const { stdout, stderr } = await runCli(["call", "tools", "typed", ...args], options);
  expect(stderr).toBe("");
  return JSON.parse(stdout);
}

describe("arguments of a call", () => {
  test.each<[form: string, words: string[], expected: unknown]>([
    [
      "numbers, true and false, one of several words",
      ["count=-3", "ratio=0.5", "flag=false", "mode=fast"],
      { count: -3, ratio: 0.5, flag: false, mode: "fast" },
    ],
    ["a list of one", ["tags=a"], { tags: ["a"] }],
    ["a list by repeating the key", ["tags=a", "tags=b c", "tags=3"], { tags: ["a", "b c", "3"] }],
    [
      "an object by dots",
      ["nested.level=2", "nested.name=x", "nested.extra=1"],
      { nested: { level: 2, name: "x", extra: "1" } },
    ],
    [
      "lists and objects as JSON",
      ['tags=["a","b"]', 'nested={"level":2}'],
      { tags: ["a", "b"], nested: { level: 2 } },
    ],
    ["any JSON", ['other:={"a":[1,null]}', "count:=4"], { other: { a: [1, null] }, count: 4 }],
    [
      "texts with an equals sign, without anything, and like an option",
      ["one=a=b", "two=", "three=--json"],
      { one: "a=b", two: "", three: "--json" },
    ],
  ])("are %s", async (_, words, expected) => {
    expect(await received(words)).toEqual(expected);
  });

  test("come from a file", async () => {
    await sandbox.writeProject("text.md", "line one\nline two\n");
    await sandbox.writeProject("tags.json", ["x", "y"]);
    expect(await received(["other=@text.md", "tags=@tags.json"])).toEqual({
      other: "line one\nline two\n",
      tags: ["x", "y"],
    });
  });

  test("come as JSON from a file or standard input, and single arguments override them", async () => {
    await sandbox.writeProject("input.json", { count: 1, flag: true });
    expect(await received(["--input", '{"count":1}'])).toEqual({ count: 1 });
    expect(await received(["--input=@input.json"])).toEqual({ count: 1, flag: true });
    expect(await received(["--input", "-"], '{"count":5}')).toEqual({ count: 5 });
    expect(await received(["--input", "@input.json", "count=9"])).toEqual({ count: 9, flag: true });
  });

  test.each<[mistake: string, words: string[], stderr: string]>([
    [
      "a word for a number",
      ["count=many"],
      '✗ "count" must be a whole number, not "many".\n  Write count:=<json> to give it as JSON.\n',
    ],
    [
      "a word for true or false",
      ["flag=maybe"],
      '✗ "flag" must be true or false, not "maybe".\n  Write flag:=<json> to give it as JSON.\n',
    ],
    [
      "a value that is not offered",
      ["mode=medium"],
      '✗ Invalid arguments for "typed": "mode" must be one of "fast", "slow".\n  It is called as typed(count?: integer, ratio?: number, flag?: boolean, tags?: string[], nested?: {level?: integer, name?: string}, mode?: "fast"|"slow").\n  → plugboard tools tools typed\n',
    ],
    ["broken JSON", ["other:={"], expect.stringMatching(/^✗ other:= is not valid JSON: /)],
    [
      "a word without a key",
      ["hello"],
      '✗ Invalid argument "hello".\n  Write key=value, key:=json or key=@file.\n',
    ],
    ["a file that is not there", ["other=@gone.txt"], "✗ Cannot read gone.txt: there is no such file.\n"],
    [
      "input that is no object",
      ["--input", "[1]"],
      `✗ --input must be a JSON object.\n  For example: --input '{"path":"README.md"}'\n`,
    ],
  ])("with %s are refused", async (_, words, stderr) => {
    const result = await runCli(["call", "tools", "typed", ...words], { sandbox });
    expect(result).toMatchObject({ code: 2, stdout: "", stderr });
  });

  test("that the tool does not accept suggest the most similar name", async () => {
    expect(await runCli(["call", "tools", "echo", "txet=hi"], { sandbox })).toMatchObject({
      code: 2,
      stdout: "",
      stderr: '✗ The tool has no argument "txet".\n  Did you mean "text"?\n',
    });
  });
});

describe("the result of a call", () => {
  const call = async (...words: string[]): Promise<CliResult> => {
    return await runCli(["call", "tools", ...words], { sandbox });
  };

  test("is printed as text on standard output", async () => {
    expect(await call("echo", "text=hello")).toMatchObject({ code: 0, stdout: "hello\n", stderr: "" });
  });

  test("with an image describes the image and prints no base64", async () => {
    expect(await call("image")).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\[image: image\/png, 70 bytes, saved to \/\S+\.png\]\n$/),
    });
  });

  test("that is an error goes to standard error and exits 1", async () => {
    expect(await call("fail")).toMatchObject({ code: 1, stdout: "", stderr: "✗ it went wrong\n" });
  });

  test("as JSON is the whole result", async () => {
    const { code, json, stderr } = await call("add", "a=1", "b=2", "--json");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(json()).toEqual({
      text: expect.any(String),
      parts: [{ type: "text", text: "3" }],
      structured: { sum: 3 },
      isError: false,
      details: {
        serverName: "tools",
        mcpToolName: "add",
        provider: "plugboard",
        source: expect.objectContaining({ tool: "plugboard", scope: "user", line: 3, column: 5 }),
      },
    });
  });

  test("as JSON is the whole result even if it is an error", async () => {
    const { code, json, stderr } = await call("fail", "--json");
    expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
    expect(json()).toMatchObject({ text: "it went wrong", isError: true });
  });

  test("with escape sequences reaches a pipe exactly as the tool gave it", async () => {
    await using sandbox = await createSandbox();
    const raw = stdioServer("raw-server.mjs", ["--behave", "evil-text"]);
    await sandbox.writeHome(".plugboard/mcp.json", { mcpServers: { raw } });
    const { stdout } = await runCli(["call", "raw", "evil", "text=x"], { sandbox });
    expect(stdout).toContain("\u001b[31mred");
  });
});

test("a call to an unknown server or tool suggests the most similar name and exits 2", async () => {
  expect(await runCli(["call", "tool", "echo"], { sandbox })).toMatchObject({
    code: 2,
    stdout: "",
    stderr: '✗ Unknown server "tool".\n  Did you mean "tools"?\n  → plugboard list\n',
  });
  expect(await runCli(["call", "tools", "ecko"], { sandbox })).toMatchObject({
    code: 2,
    stdout: "",
    stderr: '✗ Server "tools" has no tool "ecko".\n  Did you mean "echo"?\n  → plugboard tools tools\n',
  });
});

test("the demo server answers without any configuration", async () => {
  await using sandbox = await createSandbox();
  const { code, json } = await runCli(["call", "demo", "text_stats", "text=hello there", "--json"], {
    sandbox,
  });
  expect(code).toBe(0);
  expect(json()).toMatchObject({ structured: { lines: 1, words: 2, characters: 11 } });
  const hashed = await runCli(["call", "demo", "hash_text", "text=abc"], { sandbox });
  expect(hashed.stdout).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad\n");
});

test("an unset value is reported on standard error, and the call continues", async () => {
  await using sandbox = await createSandbox();
  const tools = stdioServer("tools-server.mjs", [], { KEY: "${NOT_SET}" });
  await sandbox.writeHome(".plugboard/mcp.json", { mcpServers: { tools } });
  const { code, stdout, stderr } = await runCli(["call", "tools", "env", "name=KEY"], { sandbox });
  expect({ code, stdout }).toEqual({ code: 0, stdout: "(unset)\n" });
  expect(stderr).toMatch(/^! ~\/\.plugboard\/mcp\.json:\d/);
  expect(stderr).toContain("${NOT_SET}");
  expect(stderr.trimEnd().split("\n")).toHaveLength(1);
});
