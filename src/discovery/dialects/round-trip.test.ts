import { describe, expect, test } from "vitest";
import { readOn } from "../../../test/support/machine.ts";
import { setEntry } from "../../documents/index.ts";
import { interpret } from "../../inventory/index.ts";
import type { Server } from "../../model/index.ts";
import { toPortable } from "../../operations/export/portable-server.ts";
import { findOwnPaths } from "../../state/index.ts";
import { createMemoryFiles } from "../../testing/index.ts";
import type { RawEntry } from "../provider.ts";
import { PROVIDERS } from "../providers/index.ts";
import { findWhere } from "../where.ts";
import { type Dialect, type DialectScope, isUnsupported, type PortableServer } from "./dialect.ts";
import { DIALECTS } from "./dialects.lazy.ts";

/** Servers with every feature that some tool supports. */
const SERVERS: readonly PortableServer[] = [
  {
    name: "plain",
    launch: { transport: "stdio", command: "npx", args: ["-y", "one"], env: { MODE: "fast" } },
  },
  {
    name: "local",
    launch: {
      transport: "stdio",
      command: "node",
      args: ["/srv/one.mjs", 'a "b" \\c', ""],
      env: { TOKEN: "${TOKEN}", MODE: "fast" },
    },
    timeoutMs: 90_000,
  },
  { name: "placed", launch: { transport: "stdio", command: "/bin/one", args: [], env: {}, cwd: "/srv" } },
  { name: "filed", launch: { transport: "stdio", command: "one", args: [], env: {}, envFile: "/srv/.env" } },
  { name: "mixed", launch: { transport: "stdio", command: "${HOME}/one", args: ["--x=${X}"], env: {} } },
  { name: "default", launch: { transport: "stdio", command: "one", args: ["${X:-y}"], env: {} } },
  { name: "few", launch: { transport: "stdio", command: "one", args: [], env: {} }, allowTools: ["a", "b"] },
  { name: "fewer", launch: { transport: "stdio", command: "one", args: [], env: {} }, denyTools: ["c"] },
  { name: "open", launch: { transport: "http", url: "https://h.test/mcp", headers: {} }, timeoutMs: 5_000 },
  {
    name: "remote",
    launch: {
      transport: "http",
      url: "https://h.test/mcp?x=1",
      headers: { Authorization: "Bearer ${TOKEN}", "X-Key": "${KEY}", "X-Team": "blue" },
    },
  },
  { name: "where", launch: { transport: "http", url: "https://h.test/${PLACE}", headers: {} } },
  { name: "events", launch: { transport: "sse", url: "https://h.test/sse", headers: {} } },
];

const ENVIRONMENT = { platform: "linux", home: "/home/me", cwd: "/repo", variables: {} };

async function fileOf(dialect: Dialect, scope: DialectScope): Promise<string | undefined> {
  const where = await findWhere(createMemoryFiles(), ENVIRONMENT, findOwnPaths(ENVIRONMENT));
  return dialect.files(where, scope).at(-1);
}

/** Interprets an entry that a provider read. */
function interpretEntry(entry: RawEntry): Server {
  const { name, fields, transport, expansion } = entry;
  const provenance = { tool: "x", scope: "user", tier: "user", file: entry.source.file } as const;
  const declaration = {
    name,
    fields,
    provenance,
    positionOf: () => undefined,
    ...(transport && { transport }),
    ...(entry.owner && { owner: entry.owner }),
    expansion,
    problems: [],
  };
  return { ...interpret(declaration, { timeoutMs: 1, startupTimeoutMs: 1, toolsTtlMs: 1 }), shadowed: [] };
}

/** Normalizes inherited variables: inheriting a variable equals setting it to its own value. */
function normalize(server: PortableServer, { timeout }: { timeout: boolean }): PortableServer {
  const { launch, timeoutMs, ...rest } = server;
  const kept = { ...rest, ...(timeout && timeoutMs !== undefined && { timeoutMs }) };
  if (launch.transport !== "stdio") return { ...kept, launch };
  const { inheritEnv, env, ...others } = launch;
  const handed = Array.isArray(inheritEnv) ? inheritEnv.map((name: string) => [name, `\${${name}}`]) : [];
  return { ...kept, launch: { ...others, env: { ...env, ...Object.fromEntries(handed) } } };
}

const cases = DIALECTS.flatMap((dialect) =>
  (["user", "project"] as const).map((scope) => [dialect.id, scope, dialect] as const),
);

describe("servers written for a tool are read back unchanged by its provider", () => {
  test.each(cases)("%s, %s", async (id, scope, dialect) => {
    const provider = PROVIDERS.find((candidate) => candidate.id === id);
    const file = await fileOf(dialect, scope);
    if (provider === undefined) expect.fail(`there is no provider for ${id}`);
    if (file === undefined) return;
    const path = dialect.keyPath({});
    if (isUnsupported(path)) expect.fail(path.cannot);

    let text = "";
    const written = SERVERS.filter((server) => !isUnsupported(dialect.toEntry(server)));
    for (const server of written) {
      const entry = dialect.toEntry(server);
      if (!isUnsupported(entry)) text = await setEntry(text, dialect.format, [...path, server.name], entry);
    }
    const { entries, complaints = [] } = await readOn(provider, { files: { [file]: text } });
    expect(complaints).toEqual([]);
    expect(entries.map(({ owner }) => owner)).toEqual(entries.map(() => ({ valid: true, problems: [] })));
    expect(written.length).toBeGreaterThan(0);
    expect(entries.map(({ source }) => source.scope)).toEqual(entries.map(() => scope));

    const target = { scope, folder: undefined, environment: ENVIRONMENT };
    const readBack = await Promise.all(entries.map((entry) => toPortable(interpretEntry(entry), target)));
    const saysTimeout = text.includes("timeout");
    const saysSse = /"sse"/.test(text);
    expect(
      readBack.map((server) =>
        isUnsupported(server) ? server : normalize(server, { timeout: saysTimeout }),
      ),
    ).toEqual(
      written.map((server) => {
        const { launch, ...rest } = normalize(server, { timeout: saysTimeout });
        // Tools with one type for both try HTTP first, then SSE.
        return launch.transport === "sse" && !saysSse
          ? { ...rest, launch: { ...launch, transport: "http" } }
          : { ...rest, launch };
      }),
    );
    for (const entry of saysSse ? [] : entries.filter(({ name }) => name === "events"))
      expect(entry.transport?.candidates).toEqual(["http", "sse"]);
  });
});
