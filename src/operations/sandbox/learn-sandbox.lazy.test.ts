import { expect, test } from "vitest";
import type { SandboxDenial } from "../../model/index.ts";
import { collapse } from "./learn-sandbox.lazy.ts";
import { isSensitive } from "./record-denials.ts";

const reads = (folder: string, ...names: readonly string[]): SandboxDenial[] =>
  names.map((name) => ({ kind: "read", target: `${folder}/${name}` }));
const FILES = ["a", "b", "c", "d", "e"];

test("many files of one folder count as the folder", () => {
  expect(collapse(reads("/home/me/work/notes", ...FILES))).toEqual([
    { kind: "read", target: "/home/me/work/notes" },
  ]);
});

test.each([
  ["a file with secrets among them", reads("/home/me/work/app", ...FILES, ".env")],
  ["only keys", reads("/home/me/work/keys", ...FILES.map((name) => `${name}.pem`))],
  ["a key below it", [...reads("/home/me/work/app", ...FILES), ...reads("/home/me/work/app/tls", "a.pem")]],
  ["a folder with secrets of other programs", reads("/Users/me/Library/Application Support", ...FILES)],
])("a folder is not proposed for many files: %s", (_, denials) => {
  const collapsed = collapse(denials);
  expect(collapsed.map(({ target }) => target).sort()).toEqual(denials.map(({ target }) => target).sort());
  expect(collapsed.filter(isSensitive)).toEqual(denials.filter(isSensitive));
});

test.each([
  ["read", "/home/me/.config"],
  ["read", "/home/me/.local/share"],
  ["read", "/home/me/app/.env.production"],
  ["write", "/home/me/.bashrc"],
  ["write", "/home/me/.config/autostart/x.desktop"],
  ["write", "/home/me/.local/bin/git"],
  ["write", "/home/me/.gitconfig"],
  ["write", "/home/me/work/app/.git/hooks/pre-commit"],
  ["write", "/home/me/.plugboard/mcp.json"],
  ["write", "/usr/local/bin/x"],
] as const)("to %s %s is sensitive", (kind, target) => {
  expect(isSensitive({ kind, target })).toBe(true);
});

test.each([
  ["read", "/home/me/.bashrc"],
  ["write", "/home/me/notes/today.md"],
  ["write", "/home/me/.config/app/settings.json"],
  ["host", "api.example.com"],
] as const)("to %s %s is not", (kind, target) => {
  expect(isSensitive({ kind, target })).toBe(false);
});
