import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { DEFAULT_SETTINGS } from "../../src/config/index.ts";
import { discover } from "../../src/discovery/index.ts";
import { PROVIDERS } from "../../src/discovery/providers/index.ts";
import { nodePorts } from "../../src/platform/node/index.ts";
import { findOwnPaths } from "../../src/state/index.ts";
import { reportTests } from "../durability/counts.ts";
import { copyFixtures } from "./fixture-tree.ts";

const tree = await copyFixtures();
afterAll(() => tree[Symbol.asyncDispose]());

/** The expected problem for each kind of broken file in the manifest. */
const EXPECTED: Readonly<Record<string, RegExp>> = {
  "json-syntax": /^warning owner-refuses: .* reads strict JSON and would reject this file$/,
  "toml-syntax": /^error file-syntax: :\d+:\d+ is not valid TOML/,
  "wrong-top-level-key": /^warning owner-refuses: .* finds no servers here$/,
  "file-fatal": /^warning owner-refuses: .* would reject the whole file because of this$/,
  "empty-file": /^error file-empty: :1:1 is empty$/,
};

const broken = tree.manifest.files.flatMap(({ path, tool, fileProblems = [] }) =>
  fileProblems.map((problem) => [path, tool, problem] as const),
);

test("the manifest has eight broken files", () => {
  expect(broken).toHaveLength(8);
});

describe("what cannot be used is reported:", () => {
  reportTests("config files read as by their owners");

  test.each(broken)("%s for %s: %s", async (path, tool, problem) => {
    const file = tree.path(path);
    const cwd = dirname(file).replace(/[\\/]\.codex$/, "");
    const home = join(tree.root, "nobody");
    const environment = { platform: "linux", home, cwd, variables: {} };
    const { problems } = await discover({
      ports: nodePorts(),
      environment,
      places: findOwnPaths(environment),
      settings: {
        ...DEFAULT_SETTINGS,
        providersOff: PROVIDERS.map(({ id }) => id).filter((id) => id !== tool),
      },
    });
    const messages = problems
      .filter((found) => found.file === file)
      .map(({ severity, code, message }) => `${severity} ${code}: ${message.replace(file, "")}`);
    expect(messages).toEqual([expect.stringMatching(EXPECTED[problem] ?? /^$/)]);
  });
});
