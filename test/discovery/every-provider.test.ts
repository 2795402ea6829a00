import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PROVIDERS } from "../../src/discovery/providers/index.ts";
import { copyFixtures, type FixtureTree } from "./fixture-tree.ts";
import { viewProvider } from "./read-provider.ts";

const TABLES = ["paths-agents", "paths-apps"].map((name) =>
  readFileSync(`test/discovery/${name}.test.ts`, "utf8"),
);
let tree: FixtureTree;

beforeAll(async () => {
  tree = await copyFixtures();
});
afterAll(() => tree[Symbol.asyncDispose]());

test.each(PROVIDERS.map((provider) => [provider.id, provider] as const))(
  "%s has a fixture: a file in test/fixtures/configs, or a row in test/discovery/paths-*.test.ts",
  async (id, provider) => {
    const { documents, read } = await viewProvider(provider, tree, tree.project);
    const isInTable = TABLES.some((table) => table.includes(`["${id}", "`));
    expect(read(documents).length > 0 || isInTable).toBe(true);
  },
);
