import { dirname } from "node:path";
import { afterAll, describe, expect, onTestFailed, test } from "vitest";
import type { RawEntry } from "../../src/discovery/provider.ts";
import { PROVIDERS } from "../../src/discovery/providers/index.ts";
import type { JsonObject, JsonValue } from "../../src/index.ts";
import { report } from "../durability/counts.ts";
import { copyFixtures, type ExpectedFile, type ExpectedServer } from "./fixture-tree.ts";
import { type ProviderView, viewProvider } from "./read-provider.ts";

const tree = await copyFixtures();
afterAll(() => tree[Symbol.asyncDispose]());

/** The manifest's names for tools that have different ids in Plugboard. */
const IDS: Readonly<Record<string, string>> = {
  "gemini-cli": "gemini",
  "oh-my-pi": "omp",
  "mcp-json(fallback)": "mcp-json",
  "opencode-toml(seed-004)": "opencode-toml",
  "mcp-registry": "server-json",
};

const providerOf = (tool: string) => PROVIDERS.find(({ id }) => id === (IDS[tool] ?? tool));
const views = new Map<string, Promise<ProviderView>>();

function view(tool: string, file: string): Promise<ProviderView> {
  const provider = providerOf(tool);
  if (provider === undefined) throw new Error(`there is no provider for ${tool}`);
  const cwd = file.startsWith("BROKEN/")
    ? dirname(tree.path(file)).replace(/[\\/]\.codex$/, "")
    : tree.project;
  const key = `${tool} ${cwd}`;
  const known = views.get(key) ?? viewProvider(provider, tree, cwd);
  views.set(key, known);
  return known;
}

/** Returns the entries of one file, read without the lists in other files that disable servers. */
async function entriesOf({
  path,
  tool,
  kind,
}: Pick<ExpectedFile, "path" | "tool" | "kind">): Promise<readonly RawEntry[]> {
  const { documents, read } = await view(tool, path);
  const file = tree.path(path);
  const plugin = path.includes("/plugins/cache/");
  const chosen = documents.filter((source) => source.file === file || plugin);
  expect(
    chosen.some((source) => source.file === file),
    `${tool} reads ${path} (${kind})`,
  ).toBe(true);
  // Lists in other files may disable a server. They apply only if the manifest expects it.
  const whole = new Map(read(documents).map((entry) => [placeOf(entry), entry.enabled]));
  return read(chosen)
    .filter(({ source }) => source.file === file)
    .map((entry) => {
      const listed = whole.get(placeOf(entry));
      return listed === undefined ? entry : { ...entry, enabled: listed };
    });
}

const placeOf = ({ source, path }: RawEntry): string => JSON.stringify([source.file, ...path]);

const FIELDS: Readonly<Record<string, string>> = {
  command: "command",
  args: "args",
  env: "env",
  envFile: "envFile",
  envPassthrough: "inheritEnv",
  cwd: "cwd",
  url: "url",
  headers: "headers",
  startupTimeoutMs: "startupTimeout",
  requestTimeoutMs: "timeout",
  trust: "trust",
  sandbox: "sandbox",
  watchPaths: "watchPaths",
  uses: "uses",
  extension: "extension",
};

/** Converts an entry to the manifest's format, limited to what the manifest specifies. */
function toManifestFormat(entry: RawEntry, expected: Partial<ExpectedServer>): JsonObject {
  const { fields, transport, owner } = entry;
  const words: Record<string, JsonValue | undefined> = {
    name: entry.name.startsWith("plugin:") ? (entry.path.at(-1) ?? "") : entry.name,
    transport: transport?.kind ?? null,
    transportCandidates: transport?.candidates,
    enabled: isEnabled(entry, expected),
    valid: owner?.valid ?? true,
    problems: owner?.problems ?? [],
    tools: present({
      allow: fields["allowTools"],
      deny: fields["denyTools"],
      autoApprove: fields["autoApprove"],
    }),
    auth: present({
      ...(fields["auth"] as JsonObject | undefined),
      oauth: fields["oauth"],
      headersHelper: fields["headersHelper"],
      authProviderId: fields["authProviderId"],
      bearerTokenEnvVar: fields["bearerTokenEnv"],
      envHeaders: fields["envHeaders"],
      oauthScopes: fields["oauthScopes"],
    }),
    inputs: entry.inputs as unknown as JsonValue,
    requiresInputs: inputsIn(fields),
  };
  for (const [theirs, ours] of Object.entries(FIELDS)) words[theirs] = fields[ours];
  const expectedOf = Object.keys(expected).filter((key) => !["expanded", "why"].includes(key));
  return JSON.parse(
    JSON.stringify(Object.fromEntries(expectedOf.map((key) => [key, words[key]]))),
  ) as JsonObject;
}

/** The manifest distinguishes an entry's own switch from other files' lists only in its scenarios. */
function isEnabled({ enabled, fields }: RawEntry, expected: Partial<ExpectedServer>): boolean {
  if (expected["enabled"] === false && enabled !== undefined) return enabled.value;
  return typeof fields["enabled"] === "boolean" ? fields["enabled"] : true;
}

function present(object: Readonly<Record<string, JsonValue | undefined>>): JsonObject | undefined {
  const known = Object.entries(object).filter(([, value]) => value !== undefined);
  return known.length === 0 ? undefined : (Object.fromEntries(known) as JsonObject);
}

function inputsIn(fields: JsonObject): string[] {
  return [...JSON.stringify(fields).matchAll(/\$\{input:([^}]+)\}/g)].map(([, id = ""]) => id);
}

function expectedOf({ expanded: _, why: __, ...expected }: Partial<ExpectedServer>): JsonObject {
  // Unset variables are found during expansion, so readers do not report them.
  const problems = (expected.problems ?? []).filter((code) => code !== "unresolved-var");
  return { ...expected, ...(expected.problems && { problems }) };
}

const readable = tree.manifest.files.filter(({ groups }) => groups.length > 0);
/** Files with file problems are counted in their own test. */
const counted = readable.filter(({ fileProblems }) => fileProblems === undefined);
const wrong = new Set<string>();
afterAll(() => {
  const right = counted.filter(({ path }) => !wrong.has(path)).length;
  report("config files read as by their owners", right, counted.length);
});

describe.each(readable.map((file) => [file.path, file] as const))("%s", (_, file) => {
  test.each(file.groups.map((group) => [`${group.scope} ${group.keyPath.join(".")}`, group] as const))(
    "has the servers that its owner would read: %s",
    async (_name, group) => {
      onTestFailed(() => void wrong.add(file.path));
      const entries = await entriesOf({ ...file, tool: group.tool ?? file.tool });
      const visible = group.project === undefined || group.project === tree.project;
      const found = entries.filter(
        ({ path }) => JSON.stringify(path.slice(0, group.keyPath.length)) === JSON.stringify(group.keyPath),
      );
      const expected = visible ? group.servers : [];
      expect(found.map((entry, index) => toManifestFormat(entry, expected[index] ?? {}))).toEqual(
        expected.map(expectedOf),
      );
    },
  );
});

/** One provider reads the root files, which are the fallback of the pi family. */
const readerOf = (tool: string): string => (tool === "oh-my-pi" ? "mcp-json(fallback)" : tool);

const shared = tree.manifest.files.flatMap((file) =>
  Object.entries(file.perReader ?? {}).map(
    ([tool, servers]) => [file.path, tool, { ...file, tool: readerOf(tool) }, servers] as const,
  ),
);

test.each(shared)("%s is read with the rules of %s", async (path, _tool, file, servers) => {
  onTestFailed(() => void wrong.add(path));
  const entries = await entriesOf(file);
  for (const [name, expected] of Object.entries(servers)) {
    const entry = entries.find((candidate) => candidate.name === name);
    if (name === "*") expect(entries).toEqual([]);
    else if (entry === undefined) expect({ name, found: false }).toEqual({ name, found: true });
    else expect({ name, ...toManifestFormat(entry, expected) }).toEqual({ name, ...expectedOf(expected) });
  }
});
