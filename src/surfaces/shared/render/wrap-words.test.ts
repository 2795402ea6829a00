import { expect, test } from "vitest";
import { wrapShellLine } from "./wrap-words.ts";

test.each([
  ["plugboard list", ["  plugboard list"]],
  [
    'plugboard tools --search "create an issue" --json',
    ["  plugboard tools --search \\", '    "create an issue" --json'],
  ],
  [
    "source <(plugboard completion bash)     # in ~/.bashrc",
    ["  # in ~/.bashrc", "  source <(plugboard completion bash)"],
  ],
  [
    "plugboard call echo -- npx -y @modelcontextprotocol/server-everything",
    ["  plugboard call echo -- npx -y \\", "    @modelcontextprotocol/server-everything"],
  ],
])("%s is wrapped so that it can be copied", (line, rows) => {
  expect(wrapShellLine(line, 40, 2)).toEqual(rows);
});
