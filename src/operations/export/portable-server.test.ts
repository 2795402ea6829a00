import { expect, test } from "vitest";
import type { PortableServer, Unsupported } from "../../discovery/index.ts";
import { interpret } from "../../inventory/index.ts";
import { type ExpansionRules, type JsonObject, NATIVE_EXPANSION, type Server } from "../../model/index.ts";
import { toPortable } from "./portable-server.ts";

function server(
  fields: JsonObject,
  expansion: ExpansionRules = NATIVE_EXPANSION,
  tier: "user" | "project" = "user",
): Server {
  const provenance = { tool: "x", scope: tier, tier, file: "/x" } as const;
  const declaration = {
    ...(tier === "project" && { projectFolder: "/repo" }),
    name: "one",
    fields,
    provenance,
    positionOf: () => undefined,
    expansion,
    problems: [],
  };
  return { ...interpret(declaration, { timeoutMs: 1, startupTimeoutMs: 1, toolsTtlMs: 1 }), shadowed: [] };
}

const environment = { cwd: "/repo/sub", platform: "linux", variables: { SOME_NAME: "value" } };
const carry = (
  fields: JsonObject,
  expansion?: ExpansionRules,
  tier?: "user" | "project",
): Promise<PortableServer | Unsupported> =>
  toPortable(server(fields, expansion, tier), { scope: "user", folder: undefined, environment });

test.each<[fields: JsonObject, secret: string | undefined]>([
  [{ command: "x", args: ["--token", "${T}", "--key=${K}", "Authorization: Bearer ${T}"] }, undefined],
  [{ command: "x", args: ["postgres://me:${PW}@h.test/db"] }, undefined],
  [{ command: "x", args: ["postgres://me:hunter2@h.test/db"] }, "args[0]"],
  [{ command: "x", args: ["postgres://me:hunter2@${HOST}/db"] }, "args[0]"],
  [{ command: "x", args: ["--token", "abc${T}"] }, "args[1]"],
  [{ command: "x", env: { DATABASE_URL: "postgres://me:${PW}@h.test/db" } }, undefined],
  [{ command: "x", env: { DATABASE_URL: "postgres://me:hunter2@h.test/db" } }, "env.DATABASE_URL"],
  [{ command: "x", env: { AUTH: "token ${T}", API_KEY: "${K}", SECRET: "" } }, undefined],
  [{ command: "x", env: { API_KEY: "${K:-abc}" } }, "env.API_KEY"],
  [{ command: "x", env: { NOTE: `ghp_${"a".repeat(30)}` } }, "env.NOTE"],
  [{ url: "https://h.test/mcp?key=${K}&x=1" }, undefined],
  [{ url: "https://h.test/mcp?key=abc" }, "url"],
  [{ url: "https://${HOST}/mcp?key=abc" }, "url"],
  [{ url: "https://h.test", headers: { Authorization: "Basic ${B}", "X-Api-Key": "${K}" } }, undefined],
  [{ url: "https://h.test", headers: { Authorization: "Basic YWJjOmRlZg==" } }, "headers.Authorization"],
])("%j", async (fields, secret) => {
  const carried = await carry(fields);
  if (secret === undefined) expect(carried).toHaveProperty("launch");
  else
    expect(carried).toEqual({ cannot: `${secret} contains a secret in plain text; use a variable instead` });
});

test.each<[fields: JsonObject, launch: object]>([
  [{ command: "./bin/one" }, { command: "/plugins/one/bin/one", cwd: "/plugins/one" }],
  [
    { command: "npx", cwd: "sub" },
    { command: "npx", cwd: "/plugins/one/sub" },
  ],
  [
    { command: "/bin/one", cwd: "/srv" },
    { command: "/bin/one", cwd: "/srv" },
  ],
  [
    { command: "${HOME}/one", cwd: "${HOME}" },
    { command: "${HOME}/one", cwd: "${HOME}" },
  ],
])("%j of a plugin starts where its own tool would start it", async (fields, launch) => {
  const folders = { baseFolder: "/plugins/one", commandFolder: "/plugins/one" };
  expect(await carry(fields, { ...NATIVE_EXPANSION, ...folders })).toMatchObject({ launch });
});

test("limits and tool lists are carried over, and a star means all tools", async () => {
  const fields = { command: "x", timeout: 5, startupTimeout: 6, allowTools: ["*"], denyTools: ["a"] };
  expect(await carry(fields)).toEqual({
    name: "one",
    launch: { transport: "stdio", command: "x", args: [], env: {} },
    timeoutMs: 5,
    startupTimeoutMs: 6,
    denyTools: ["a"],
  });
});

const PROJECT = { cwd: "/repo" };

test.each<[fields: JsonObject, launch: object]>([
  [
    { command: "node", args: ["server.js", "--config", "./x"] },
    { args: ["/repo/server.js", "--config", "./x"] },
  ],
  [{ command: "node", args: ["${PWD}/server.js"] }, { args: ["/repo/server.js"] }],
  [{ command: "npx", args: ["-y", "files@1"] }, { command: "npx" }],
  [{ command: "npx", args: ["-y", "@acme/x@1.2", "--mode", "${MODE}", "stdio"] }, { command: "npx" }],
  [{ command: "npx", args: ["-c", "bash run"] }, PROJECT],
  [{ command: "npx", args: ["--prefix", "lib", "x"] }, PROJECT],
  [{ command: "uvx", args: ["--from", "lib", "x"] }, PROJECT],
  [{ command: "npx", args: ["-y", "x", "./data"] }, PROJECT],
  [{ command: "docker", args: ["run", "-i", "--rm", "mcp/fetch:1.2"] }, { command: "docker" }],
  [{ command: "./run" }, { command: "/repo/run", ...PROJECT }],
  [{ command: "perl", args: ["s.pl"], env: { PERL5LIB: "lib" } }, PROJECT],
  [{ command: "node", args: ["s.js"], env: { DATA: "./data" } }, PROJECT],
  [{ command: "sh", args: ["-c", "bash server.sh"] }, PROJECT],
  [{ command: "npx", args: ["tsx", "server.ts"] }, PROJECT],
  [{ command: "python3", args: ["-m", "server"] }, PROJECT],
  [{ command: "node", args: ["-r", "hook", "s.js"] }, PROJECT],
  [{ command: "make", args: ["mcp"] }, PROJECT],
  [{ command: "unheard-of", args: ["server.js"] }, PROJECT],
  [{ command: "unheard-of", args: ["-v", ".:/data"] }, PROJECT],
  [
    { command: "node", args: ["s.js"], wrap: ["./box"] },
    { command: "/repo/box", ...PROJECT },
  ],
  [
    { command: "node", args: ["s.js"], cwd: "tools" },
    { args: ["s.js"], cwd: "/repo/tools" },
  ],
])("%j of a project runs the project's code from every folder", async (fields, launch) => {
  const carried = await carry(fields, NATIVE_EXPANSION, "project");
  expect(carried).toMatchObject({ launch });
  const needsFolder = "cwd" in launch;
  expect("launch" in carried && "cwd" in carried.launch).toBe(needsFolder);
});

test.each(["approval", "pins", "trust"])(
  "a project's server with %j does not become the user's own without it",
  async (field) => {
    const fields = { command: "npx", args: ["x"], [field]: field === "trust" ? "untrusted" : "ask" };
    expect(await carry(fields, NATIVE_EXPANSION, "project")).toEqual({
      cannot: `other tools do not support its "${field}"`,
    });
    expect(await carry(fields)).toHaveProperty("launch");
  },
);

test("the name of a set variable is carried over as a reference, other words as they are", async () => {
  const env = { A: "SOME_NAME", B: "OTHER", C: "${=text:-SOME_NAME}" };
  expect(await carry({ command: "x", env })).toMatchObject({
    launch: { env: { A: "${SOME_NAME}", B: "OTHER", C: "SOME_NAME" } },
  });
});
