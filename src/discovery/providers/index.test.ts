import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type Document, parseJson } from "../../documents/index.ts";
import { isJsonObject } from "../../model/index.ts";
import { findOwnPaths } from "../../state/index.ts";
import { createMemoryFiles } from "../../testing/index.ts";
import type { DiscoveryProvider, SourceDocument, SourceFile, Where } from "../provider.ts";
import { findWhere } from "../where.ts";
import { PROVIDERS } from "./index.ts";

test("every provider has a unique id and label", () => {
  const ids = PROVIDERS.map(({ id }) => id);
  const labels = PROVIDERS.map(({ label }) => label);
  expect([new Set(ids).size, new Set(labels).size]).toEqual([PROVIDERS.length, PROVIDERS.length]);
});

/** The tools listed in milestone 2, by id. */
const NAMED =
  `plugboard omp xcsh pisces codex-toolloop opencode opencode-toml claude-code claude-desktop cursor
  vscode visual-studio copilot-cli windsurf devin cline roo-code kilo-code continue zed gemini antigravity qwen-code
  codex goose amazon-q kiro junie crush amp warp lm-studio factory trae librechat auggie mcporter mcp-inspector
  mistral-vibe agent-plugins mcp-json server-json mcpb boltai`.split(/\s+/);

test.each(NAMED)("%s has a provider", (id) => {
  expect(PROVIDERS.map((provider) => provider.id)).toContain(id);
});

const PRIORITIES: Readonly<Record<string, number>> = {
  "claude-code": 80,
  "agent-plugins": 75,
  codex: 70,
  gemini: 60,
  opencode: 55,
  cursor: 50,
  windsurf: 50,
  vscode: 20,
  "mcp-json": 5,
};

test("providers have the priorities of the contract, the seeds' tools come first, and all others share one", () => {
  const leading = new Set(["plugboard", "omp", "xcsh", "pisces", "codex-toolloop"]);
  for (const { id, priority } of PROVIDERS) {
    if (leading.has(id)) expect(priority).toBeGreaterThanOrEqual(90);
    else if (id !== "opencode-toml") expect([id, priority]).toEqual([id, PRIORITIES[id] ?? 40]);
  }
});

const HOSTILE = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "", ".", "one"];
/** The keys under which tools keep servers, and other top-level keys that they read. */
const TOP =
  `mcpServers servers mcp mcp_servers context_servers amp.mcpServers zencoder.mcpServers extensions projects
  packages remotes server user_config plugins inputs customizations bundles disabledServers enabledServers
  $schema name version schema tools allowedMcpServers deniedMcpServers managedMcpServers enabledPlugins
  disabledMcpServers context_server_timeout isEnabled trustedFolders experimental compatibility`.split(/\s+/);
const FIELDS =
  `type transport transportType command cmd args env envs env_keys env_vars environment cwd url uri httpUrl
  serverUrl baseUrl headers http_headers env_http_headers bearer_token bearer_token_env_var timeout timeoutMs
  startup_timeout_sec tool_timeout_sec startup_timeout_ms disabled enabled startup oauth auth api_key_env api_key_header
  requestOptions apiKey uses override name settings source tools includeTools enabledTools disabledTools trust
  oauthClientId bearerToken bearerTokenEnv registryType identifier packageArguments environmentVariables variables
  runtimeHint mcp_config platform_overrides entry_point working_directory inputs servers mcp`.split(/\s+/);

const WORDS = [
  ...HOSTILE,
  "stdio",
  "http",
  "sse",
  "local",
  "remote",
  "oauth",
  "${VAR}",
  "wss://x",
  "$(x) 'y",
];
const text = fc.oneof(fc.constantFrom(...WORDS), fc.string());
const value = fc.oneof(
  text,
  fc.constantFrom(null, true, false, 0, -1, 1e300),
  fc.array(fc.oneof(text, fc.constant(null)), { maxLength: 3 }),
  fc.dictionary(fc.constantFrom(...HOSTILE, ...FIELDS), fc.oneof(text, fc.constant(null)), { maxKeys: 3 }),
  fc.jsonValue({ maxDepth: 2 }),
);
const entry = fc.oneof(
  { weight: 4, arbitrary: fc.dictionary(fc.constantFrom(...FIELDS, ...HOSTILE), value, { maxKeys: 24 }) },
  { weight: 1, arbitrary: value },
);
const servers = fc.oneof(
  fc.dictionary(fc.constantFrom(...HOSTILE), entry, { minKeys: 1, maxKeys: 3 }),
  fc.array(entry, { minLength: 1, maxLength: 3 }),
  value,
);
/** The same servers under every key that some tool reads, or arbitrary values. */
const content = fc.oneof(
  { weight: 1, arbitrary: fc.jsonValue() },
  { weight: 1, arbitrary: fc.dictionary(fc.constantFrom(...TOP, ...HOSTILE), servers, { maxKeys: 6 }) },
  {
    weight: 4,
    arbitrary: fc.tuple(servers, value).map(([map, other]) => ({
      ...Object.fromEntries(TOP.map((key) => [key, key.toLowerCase().includes("server") ? map : other])),
      mcp: map,
      extensions: map,
      packages: map,
      remotes: map,
      projects: { "/repo": { mcpServers: map, disabledMcpServers: other } },
      experimental: { modelContextProtocolServers: map },
      customizations: { vscode: { mcp: { servers: map } } },
    })),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(servers, text).map(([map, name]) => ({
      $schema: "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json",
      manifest_version: "0.3",
      name,
      server: map,
      user_config: map,
      mcp: { servers: map },
      packages: [map],
      remotes: [map],
      plugins: { [name]: [{ installPath: name }] },
    })),
  },
);

/** Serialized and parsed, so that objects have no prototype, as the parsers create them. */
interface Written {
  readonly text: string;
  readonly document: Document;
}

function write(anything: unknown): Written {
  const written = JSON.stringify(anything);
  return { text: written, document: parseJson(written) };
}

function documentOf({ role, scope, tier, format, paths }: SourceFile, written: Written): SourceDocument {
  const file = (paths[0] ?? "/none").replaceAll("*", "x");
  const parsed = format === "text" ? written.text : (written.document.value ?? null);
  return { file, scope, tier, role, ...written, value: parsed };
}

async function whereOn(platform: "linux" | "darwin" | "win32"): Promise<Where> {
  const windows = platform === "win32";
  const environment = {
    platform,
    home: windows ? "C:\\home" : "/home/me",
    cwd: windows ? "C:\\work" : "/repo",
    variables: {},
  };
  return findWhere(createMemoryFiles(), environment, findOwnPaths(environment));
}

/** Returns problems found while reading one provider's files. */
function problemsOf(provider: DiscoveryProvider, where: Where, written: readonly Written[]): string[] {
  const pick = (index: number): Written => written[index % written.length] ?? write(null);
  try {
    const first = provider.files(where).map((file, index) => documentOf(file, pick(index)));
    const further = (provider.furtherFiles?.(first, where) ?? []).map((file, index) =>
      documentOf(file, pick(index + 1)),
    );
    const { entries } = provider.read([...first, ...further], where);
    JSON.stringify(entries.map(({ fields }) => fields));
    const odd = entries.find(({ name, fields }) => typeof name !== "string" || !isJsonObject(fields));
    return odd === undefined ? [] : [`${provider.id}: an entry without a name or fields`];
  } catch (error) {
    return [`${provider.id}: ${String(error)}`];
  }
}

const prototypes = (): string =>
  [Object.prototype, Array.prototype, Function.prototype]
    .map((prototype) => Reflect.ownKeys(prototype).map(String).join())
    .join("\n");

test("every provider handles arbitrary file content without prototype pollution", async () => {
  const places = await Promise.all((["linux", "darwin", "win32"] as const).map(whereOn));
  const before = prototypes();
  fc.assert(
    fc.property(
      fc.constantFrom(...places),
      fc.array(content.map(write), { minLength: 1, maxLength: 3 }),
      (where, written) => {
        expect(PROVIDERS.flatMap((provider) => problemsOf(provider, where, written))).toEqual([]);
        expect(prototypes()).toBe(before);
      },
    ),
    { numRuns: 300 },
  );
});
