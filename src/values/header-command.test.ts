import { expect, test } from "vitest";
import { runHeadersHelper } from "./header-command.ts";
import type { CommandOutput, ValueCommands } from "./value-commands.ts";

/** Returns value commands that all have this output. */
function commandsPrinting(output: CommandOutput) {
  const calls: unknown[] = [];
  const commands: ValueCommands = {
    value: () => Promise.reject(new Error("a kept answer may be too old")),
    async fresh(command, folder, variables) {
      calls.push([command, folder, variables]);
      return output;
    },
  };
  return { commands, calls };
}
const SERVER = { name: "docs", url: "https://docs.test/mcp", folder: "/home/me" };
const NO_OBJECT = { failed: "is a command that did not print a JSON object of strings" };

test("the command receives the server's name and URL, and is not cached", async () => {
  const { commands, calls } = commandsPrinting({ text: '{"Authorization": "Bearer t", "X-A": ""}' });
  expect(await runHeadersHelper("print-headers", SERVER, commands)).toEqual({
    headers: [
      ["Authorization", "Bearer t"],
      ["X-A", ""],
    ],
  });
  expect(calls).toEqual([
    [
      "print-headers",
      "/home/me",
      { CLAUDE_CODE_MCP_SERVER_NAME: "docs", CLAUDE_CODE_MCP_SERVER_URL: "https://docs.test/mcp" },
    ],
  ]);
});

test.each([[""], ["  "], [5], [null], [["print-headers"]]])(
  "%j is not a command, and nothing runs",
  async (helper) => {
    const { commands, calls } = commandsPrinting({ text: "{}" });
    expect(await runHeadersHelper(helper, SERVER, commands)).toEqual({ failed: "is not a command" });
    expect(calls).toEqual([]);
  },
);

test("a failing command is reported", async () => {
  const { commands } = commandsPrinting({ failed: "ended with code 1" });
  expect(await runHeadersHelper("x", SERVER, commands)).toEqual({
    failed: "is a command that ended with code 1",
  });
});

test.each([
  ["invalid JSON", "Authorization: Bearer t"],
  ["a list", '[["A", "b"]]'],
  ["a string", '"A"'],
  ["null", "null"],
  ["a value that is not a string", '{"A": "b", "C": 5}'],
  ["an empty name", '{"": "b"}'],
  ["a name with a space", '{"A B": "c"}'],
  ["a name with a line break", '{"A\\nB": "c"}'],
  ["a value with a line break", '{"A": "b\\r\\nHost: evil.test"}'],
  ["a value with a null character", '{"A": "b\\u0000"}'],
  ["one invalid header among valid ones", '{"A": "b", "C:": "d"}'],
])("no headers are read from output with %s", async (_, text) => {
  expect(await runHeadersHelper("x", SERVER, commandsPrinting({ text }).commands)).toEqual(NO_OBJECT);
});

test("an empty object means no headers and is not a failure", async () => {
  expect(await runHeadersHelper("x", SERVER, commandsPrinting({ text: "{}" }).commands)).toEqual({
    headers: [],
  });
});
