import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { DEFAULT_SETTINGS } from "../../src/config/index.ts";
import { discover } from "../../src/discovery/index.ts";
import { PROVIDERS } from "../../src/discovery/providers/index.ts";
import type { JsonObject } from "../../src/index.ts";
import { interpret } from "../../src/inventory/index.ts";
import type { Secret, Server } from "../../src/model/index.ts";
import { nodePorts } from "../../src/platform/node/index.ts";
import { findOwnPaths } from "../../src/state/index.ts";
import { resolveServer } from "../../src/values/index.ts";
import { copyFixtures } from "./fixture-tree.ts";

const tree = await copyFixtures();
afterAll(() => tree[Symbol.asyncDispose]());

/** The manifest's names for tools that have different ids in Plugboard. */
const IDS: Readonly<Record<string, string>> = { "gemini-cli": "gemini", "mcp-json(fallback)": "mcp-json" };

const variables = {
  ...tree.manifest.testEnv,
  HOME: tree.home,
  XDG_CONFIG_HOME: join(tree.home, ".config"),
};
const environment = { platform: "linux", home: tree.home, cwd: tree.project, variables };

/** Returns a server of one file as its own tool would start it. */
async function resolved(tool: string, path: string, name: string): Promise<JsonObject> {
  const id = IDS[tool] ?? tool;
  const settings = {
    ...DEFAULT_SETTINGS,
    providersOff: PROVIDERS.map((one) => one.id).filter((one) => one !== id),
  };
  const ports = nodePorts();
  const { declarations } = await discover({
    ports,
    environment,
    places: findOwnPaths(environment),
    settings,
  });
  const declaration = declarations.find(
    ({ name: found, provenance }) => found === name && provenance.file === tree.path(path),
  );
  if (declaration === undefined) throw new Error(`${id} finds no ${name} in ${path}`);
  const server: Server = { ...interpret(declaration, DEFAULT_SETTINGS), shadowed: [] };
  if (server.launch === undefined) throw new Error(`${name} cannot be used`);
  const { launch } = await resolveServer(server, server.launch, { environment, files: ports.files });
  const revealed = (map: ReadonlyMap<string, Secret>): JsonObject =>
    Object.fromEntries([...map].map(([key, secret]) => [key, secret.reveal()]));
  if (launch.transport === "in-process") throw new Error("a file cannot define a server in the same process");
  if (launch.transport !== "stdio")
    return { transport: launch.transport, url: launch.url, headers: revealed(launch.headers) };
  const { command, args, cwd, env, inheritEnv } = launch;
  const passed = Array.isArray(inheritEnv)
    ? Object.fromEntries(
        inheritEnv.flatMap((key) =>
          (variables as Record<string, string>)[key] === undefined
            ? []
            : [[key, (variables as Record<string, string>)[key] ?? ""]],
        ),
      )
    : {};
  return { command, args, ...(cwd !== undefined && { cwd }), env: { ...passed, ...revealed(env) } };
}

const expected = tree.manifest.files.flatMap((file) =>
  file.groups.flatMap((group) =>
    group.servers.flatMap((server) => {
      const { tools: _, ...values } = (server["expanded"] ?? {}) as JsonObject;
      return Object.keys(values).length === 0
        ? []
        : [[server.name, file.path, group.tool ?? file.tool, values] as const];
    }),
  ),
);

test("the manifest has expanded values for servers of nine files", () => {
  expect(new Set(expected.map(([, path]) => path)).size).toBeGreaterThanOrEqual(9);
});

test.each(expected)("%s of %s is expanded by the rules of %s", async (name, path, tool, values) => {
  const found = await resolved(tool, path, name);
  expect(Object.fromEntries(Object.keys(values).map((key) => [key, found[key]]))).toEqual(values);
});

test("an agent plugin expands its two folders in args, env and cwd, and nothing from the environment", async () => {
  const path = "PROJECT/vendor/agent-plugin/mcp.json";
  const root = tree.path("PROJECT/vendor/agent-plugin");
  const data = join(tree.home, ".agents", "plugins", "data");
  const found = await resolved("agent-plugins", path, "validator");
  expect(found).toEqual({
    command: join(root, "bin", "validator"),
    args: [
      "--data",
      expect.stringMatching(new RegExp(`^${data.replaceAll(".", "\\.")}/[a-z.-]+-[0-9a-f]{8}/v$`)),
    ],
    cwd: root,
    env: { CONFIG: `${root}/config.json` },
  });
});
