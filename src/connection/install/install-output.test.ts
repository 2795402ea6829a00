import { expect, test } from "vitest";
import { parseInstallOutput } from "./install-output.ts";

test.each([
  [
    "Unable to find image 'mcp/time:latest' locally",
    { runner: "docker", isOver: false, package: "mcp/time:latest" },
  ],
  ["latest: Pulling from mcp/time", { runner: "docker", isOver: false, package: "mcp/time" }],
  [
    "Trying to pull docker.io/mcp/time:latest...",
    { runner: "docker", isOver: false, package: "docker.io/mcp/time:latest" },
  ],
  ["Status: Downloaded newer image for mcp/time:latest", { runner: "docker", isOver: true }],
  ["Downloading cryptography (4.1MiB)", { runner: "uv", isOver: false, package: "cryptography" }],
  ["   Building acme==1.2.3", { runner: "uv", isOver: false, package: "acme==1.2.3" }],
  ["Installed 36 packages in 42ms", { runner: "uv", isOver: true }],
  [
    ".../mwjm2jhe-3fb  | Progress: resolved 1, reused 0, downloaded 0, added 0",
    { runner: "pnpm", isOver: false },
  ],
  [
    ".../mwjm2jhe-3fb  | Progress: resolved 1, reused 0, downloaded 1, added 1, done",
    { runner: "pnpm", isOver: true },
  ],
  ["➤ YN0000: ┌ Fetch step", { runner: "yarn", isOver: false }],
  ["➤ YN0000: · Done in 1s 450ms", { runner: "yarn", isOver: true }],
  ["Resolving dependencies", { runner: "bun", isOver: false }],
  ["Saved lockfile", { runner: "bun", isOver: true }],
  ["creating virtual environment...", { runner: "pipx", isOver: false }],
  [
    "npm warn exec The following package was not found and will be installed: acme@1.2.3",
    { runner: "npm", isOver: false, package: "acme@1.2.3" },
  ],
])("%j is recognized", (line, sign) => {
  expect(parseInstallOutput(line)).toEqual(sign);
});

test.each(["Server running on stdio", "", "ready", "installing handlers", "npm warn deprecated glob@7.0.0"])(
  "%j shows no installation",
  (line) => {
    expect(parseInstallOutput(line)).toBeUndefined();
  },
);

test.each([
  ["a sign again and again", "| Progress: ".repeat(5_400)],
  ["the beginning of a sign", `installing ${"x".repeat(64_000)}`],
  ["blanks", " ".repeat(64_000)],
  ["blanks at the end", `x${" ".repeat(64_000)}`],
])("long lines take no more time than short ones: %s", (_, line) => {
  for (let count = 0; count < 10_000; count += 1) expect(parseInstallOutput(line)).toBeUndefined();
});

test("a long line is recognised by its beginning", () => {
  const line = `Downloading acme ${"x".repeat(64_000)}`;
  expect(parseInstallOutput(line)).toEqual({ runner: "uv", isOver: false, package: "acme" });
});
