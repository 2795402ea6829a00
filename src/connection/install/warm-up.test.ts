import { expect, test } from "vitest";
import { recognizeProgram } from "../prepare/recognize-program.ts";
import { warmUpLine } from "./warm-up.ts";

function warmUp(line: string): string | undefined {
  const words = line.split(" ");
  const { at, kind } = recognizeProgram(words, 0);
  const found = warmUpLine(words, at, kind);
  return found && `${found.package}: ${found.line.join(" ")}`;
}

test.each([
  ["pnpm dlx acme@1 --flag", "acme@1: pnpm dlx --package=acme@1 node --version"],
  [
    "pnpm --ignore-workspace --dir=/ dlx acme",
    "acme: pnpm --ignore-workspace --dir=/ dlx --package=acme node --version",
  ],
  ["pnpm dlx --package acme program x", "acme: pnpm dlx --package acme node --version"],
  ["pnpx acme", "acme: pnpx --package=acme node --version"],
  ["yarn dlx acme x", "acme: yarn dlx -p acme node --version"],
  ["yarn dlx -q -p acme program", "acme: yarn dlx -q -p acme node --version"],
  ["bunx acme@1.2.3 x", "acme@1.2.3: bunx --package=acme@1.2.3 node --version"],
  ["bun x acme", "acme: bun x --package=acme node --version"],
  ["C:\\bun\\bunx.exe acme", "acme: C:\\bun\\bunx.exe --package=acme node --version"],
  ["uvx acme@1.2.3 x", "acme@1.2.3: uvx --with acme==1.2.3 python -c "],
  ["uvx --no-config acme@latest", "acme@latest: uvx --no-config --with acme python -c "],
  ["uvx --from git+https://x/y acme", "git+https://x/y: uvx --with git+https://x/y python -c "],
  ["uvx --from=acme[cli] --with other acme", "acme[cli]: uvx --with other --with acme[cli] python -c "],
  ["uv tool run acme", "acme: uv tool run --with acme python -c "],
  ["pipx run acme x", "acme: pipx run --spec acme python -c "],
  ["pipx run --spec acme==1 acme x", "acme==1: pipx run --spec acme==1 python -c "],
])("%s is installed without starting it", (line, expected) => {
  expect(warmUp(line)).toBe(expected);
});

test.each(["pnpm dlx", "bunx", "uvx", "pipx run", "node server.mjs", "uv run server.py"])(
  "%s has nothing to install",
  (line) => {
    expect(warmUp(line)).toBeUndefined();
  },
);
