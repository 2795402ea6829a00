import { expect, test } from "vitest";
import { launchTexts } from "./launch-texts.ts";

test("all strings of a local launch are returned with their fields", () => {
  expect(
    launchTexts({
      transport: "stdio",
      wrap: ["bwrap", "--ro"],
      command: "node",
      args: ["a.js", "-x"],
      cwd: "/srv",
      envFile: ".env",
      env: { A: "1", B: "2" },
    }),
  ).toEqual([
    ["wrap", "bwrap"],
    ["wrap", "--ro"],
    ["command", "node"],
    ["args", "a.js"],
    ["args", "-x"],
    ["cwd", "/srv"],
    ["envFile", ".env"],
    ["env.A", "1"],
    ["env.B", "2"],
  ]);
});

test("omitted fields of a local launch are empty", () => {
  expect(launchTexts({ transport: "stdio", command: "node", args: [], env: {} })).toEqual([
    ["command", "node"],
    ["cwd", ""],
    ["envFile", ""],
  ]);
});

test("a remote launch has its URL and headers", () => {
  expect(launchTexts({ transport: "http", url: "https://x.test", headers: { A: "1" } })).toEqual([
    ["url", "https://x.test"],
    ["headers.A", "1"],
  ]);
});
