import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { codeBlocks, textOf } from "../docs/markdown.ts";

interface Step {
  readonly uses?: string;
  readonly run?: string;
}

interface Workflow {
  readonly permissions: object;
  readonly jobs: Readonly<
    Record<
      string,
      { readonly strategy?: { readonly matrix: { os: string[]; node: number[] } }; readonly steps: Step[] }
    >
  >;
}

const text = readFileSync(".github/workflows/ci.yml", "utf8");
const { jobs, permissions } = parse(text) as Workflow;
const steps = Object.values(jobs).flatMap((job) => job.steps);

test("the workflow tests Linux, macOS and Windows on every supported Node", () => {
  const { os, node } = jobs["test"]?.strategy?.matrix ?? { os: [], node: [] };
  expect(os.map((name) => name.split("-")[0])).toEqual(["ubuntu", "macos", "windows"]);
  expect(node).toEqual([20, 22, 24, 26]);
});

test("the workflow runs the README's commands", () => {
  const commands = codeBlocks(textOf("README.md"))
    .flatMap(({ language, code }) => (language === "sh" ? code.trim().split("\n") : []))
    .map((line) => line.replace(/\s+#.*/, "").trim())
    // Not in CI: these need a second project, or a server from the registry.
    .filter((line) => !/^npm (?:pack|install \.)|\bfiles\b/.test(line));
  const run = steps.flatMap((step) => step.run?.split("\n") ?? []).map((line) => line.trim());
  expect(commands.length).toBeGreaterThan(4);
  expect(commands.filter((command) => !run.includes(command))).toEqual([]);
});

test("the workflow uses pinned actions, no secrets and no write access", () => {
  const actions = steps.flatMap(({ uses }) => uses ?? []);
  expect(actions.filter((name) => !/@[0-9a-f]{40}$/.test(name))).toEqual([]);
  expect(text).not.toMatch(/secrets\./);
  expect(permissions).toEqual({ contents: "read" });
});
