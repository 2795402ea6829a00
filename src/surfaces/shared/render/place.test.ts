import { expect, test } from "vitest";
import { shortenPaths } from "./place.ts";

const display = { home: "/home/me", cwd: "/home/me/work", program: "plugboard" };

test.each([
  ["/home/me/.plugboard/mcp.json is invalid", "~/.plugboard/mcp.json is invalid"],
  ['cannot read "/home/me/work/.mcp.json"', 'cannot read ".mcp.json"'],
  ["PATH=/home/me/bin:/home/me/other", "PATH=~/bin:~/other"],
  ["open https://example.com/home/me/login", "open https://example.com/home/me/login"],
  ["/mnt/home/me/file", "/mnt/home/me/file"],
])("%s", (message, shown) => {
  expect(shortenPaths(message, display)).toBe(shown);
});
