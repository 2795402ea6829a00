import { afterAll, expect, test } from "vitest";
import { positionOfField } from "../../src/discovery/field-names.ts";
import { PROVIDERS } from "../../src/discovery/providers/index.ts";
import { copyFixtures } from "./fixture-tree.ts";
import { viewProvider } from "./read-provider.ts";

const tree = await copyFixtures();
afterAll(() => tree[Symbol.asyncDispose]());

/** Fields that are outside the entry or not written at all: extension fields, global timeouts and lists. */
const ELSEWHERE = new Set([
  "codex-toolloop allowTools",
  "codex-toolloop bundles",
  "codex-toolloop denyTools",
  "opencode timeout",
  "opencode-toml timeout",
  "zed extension",
  "zed timeout",
]);

const products = PROVIDERS.filter(({ id }) => id !== "server-json" && id !== "mcpb");

test.each(products.map((provider) => [provider.id, provider] as const))(
  "every field of %s has its position in the file, under any name",
  async (id, provider) => {
    const { documents, read } = await viewProvider(provider, tree, tree.project);
    const lost = read(documents).flatMap((entry) =>
      Object.keys(entry.fields)
        .filter((field) => field !== "type" && !ELSEWHERE.has(`${id} ${field}`))
        .filter((field) => entry.source.role !== "script" && entry.fieldSources?.[field] === undefined)
        .filter((field) => positionOfField(entry.source, entry.path, field) === undefined)
        .map((field) => `${entry.name}.${field} of ${entry.source.file.slice(tree.root.length)}`),
    );
    expect(lost).toEqual([]);
  },
);
