import { afterAll, describe, expect, test } from "vitest";
import type { RawEntry } from "../../src/discovery/provider.ts";
import { PROVIDERS } from "../../src/discovery/providers/index.ts";
import type { JsonObject } from "../../src/index.ts";
import { copyFixtures, type Scenario } from "./fixture-tree.ts";
import { viewProvider } from "./read-provider.ts";

const tree = await copyFixtures();
afterAll(() => tree[Symbol.asyncDispose]());

/** The manifest's names for tools that have different ids in Plugboard. */
const IDS: Readonly<Record<string, string>> = { "gemini-cli": "gemini", "oh-my-pi": "omp" };

/** Returns all entries of a tool, ordered by precedence. */
async function entriesOf(tool: string): Promise<readonly RawEntry[]> {
  const provider = PROVIDERS.find(({ id }) => id === (IDS[tool] ?? tool));
  if (provider === undefined) throw new Error(`there is no provider for ${tool}`);
  const { documents, read } = await viewProvider(provider, tree, tree.project);
  return read(documents);
}

function isOn({ enabled, fields }: RawEntry): boolean {
  return enabled?.value ?? fields["enabled"] !== false;
}

/** Returns an entry's file in the manifest's format. */
function placeOf({ source, scope = source.scope }: RawEntry, withScope: boolean): string {
  const file = source.file.slice(tree.root.length + 1).replaceAll("\\", "/");
  return withScope ? `${file}#${scope}` : file;
}

/** Returns whether several files contribute to the entry. */
function isMerged({ fieldSources = {} }: RawEntry): boolean {
  return new Set(Object.values(fieldSources).map(({ file }) => file)).size > 1;
}

/** Returns the result for a name in the manifest's format. */
function resultFor(winner: RawEntry | undefined, expected: string | null): string | null {
  if (winner === undefined || winner.owner?.valid === false) return null;
  if (!isOn(winner) && (expected === null || expected === "blocked" || expected === "disabled"))
    return expected;
  if (expected === "DEEP-MERGE" && isMerged(winner)) return expected;
  const place = placeOf(winner, expected?.includes("#") ?? false);
  return isOn(winner) ? place : `${place}(disabled)`;
}

const TYPES: Readonly<Record<string, string>> = { remote: "http", local: "stdio" };

function toNativeFields({ type, ...fields }: JsonObject): JsonObject {
  return { ...fields, ...(typeof type === "string" && { type: TYPES[type] ?? type }) };
}

const named = tree.manifest.scenarios.map((scenario) => [scenario.tool, scenario] as const);

test("the manifest has scenarios for eight tools", () => {
  expect(named.map(([tool]) => tool)).toHaveLength(8);
});

describe.each(named)("servers of %s in the project", (tool, { effective, merged, shadowed }: Scenario) => {
  test.each(Object.entries(effective))("%s comes from %s", async (name, expected) => {
    const winner = (await entriesOf(tool)).find((entry) => entry.name === name);
    expect(resultFor(winner, expected)).toBe(expected);
  });

  test.each(Object.entries(merged ?? {}))("%s is merged from all its files", async (name, expected) => {
    const winner = (await entriesOf(tool)).find((entry) => entry.name === name);
    expect(winner?.fields).toMatchObject(toNativeFields(expected));
  });

  test.each(shadowed ?? [])("$name of $by hides the others", async ({ name, by, hidden }) => {
    const places = (await entriesOf(tool))
      .filter((entry) => entry.name === name)
      .map((entry) =>
        placeOf(
          entry,
          [by, ...hidden].some((place) => place === placeOf(entry, true)),
        ),
      );
    expect(places).toEqual([by, ...hidden]);
  });
});

test("a user's server with project fields belongs to the project, and the user's own stays available", async () => {
  const [whole, own, ...more] = (await entriesOf("opencode")).filter(({ name }) => name === "jira");
  expect(more).toEqual([]);
  expect(whole?.source.tier).toBe("project");
  expect(own?.source.tier).toBe("user");
  expect(own?.fields["enabled"]).toBe(false);
});

test("no two entries of a tool have the same position", async () => {
  for (const [tool] of named) {
    const entries = await entriesOf(tool);
    const places = entries.map(({ source, path }) => JSON.stringify([source.file, ...path]));
    expect(new Set(places).size, tool).toBe(places.length);
  }
});
