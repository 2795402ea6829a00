import { expect, test } from "vitest";
import { createFakeScreen } from "../../../../test/support/fake-screen.ts";
import type { LineHandler } from "../line-handler.ts";
import { createShellLines } from "./shell-lines.ts";

const MCP: LineHandler = {
  help: [["/<server>:<prompt> [key=value …]", "insert a server's prompt into the conversation"]],
  accepts: (line) => line.startsWith("/mcp"),
  run: async () => {},
};

const nothing = { clear() {}, leave() {} };

async function help(columns: number): Promise<string[]> {
  const screen = { ...createFakeScreen(), columns };
  const lines = createShellLines(screen, [MCP], nothing);
  await lines.run("/help", new AbortController().signal);
  return screen.printed.join("\n").split("\n");
}

test("help shows the summary beside the usage, or below it on a narrow terminal", async () => {
  expect((await help(100)).slice(0, 3)).toEqual([
    "Type",
    "  /<server>:<prompt> [key=value …]  insert a server's prompt into the conversation",
    "  /help                             show this help",
  ]);
  expect((await help(40)).slice(0, 6)).toEqual([
    "Type",
    "  /<server>:<prompt> [key=value …]",
    "    insert a server's prompt into the",
    "    conversation",
    "  /help",
    "    show this help",
  ]);
});

test("a property name of Object is not a command", () => {
  const lines = createShellLines(createFakeScreen(), [MCP], nothing);
  const said = ["/help", "/missing", "/mcp", "constructor of what?", "toString"];
  expect(said.filter((line) => lines.accepts(line))).toEqual(["/help", "/missing"]);
});
