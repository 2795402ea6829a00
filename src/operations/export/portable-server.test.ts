import { expect, test } from "vitest";
import { interpret } from "../../inventory/index.ts";
import { type ExpansionRules, type JsonObject, NATIVE_EXPANSION, type Server } from "../../model/index.ts";
import { toPortable } from "./portable-server.ts";

function server(fields: JsonObject, expansion: ExpansionRules = NATIVE_EXPANSION): Server {
  const provenance = { tool: "x", scope: "user", tier: "user", file: "/x" } as const;
  const declaration = {
    name: "one",
    fields,
    provenance,
    positionOf: () => undefined,
    expansion,
    problems: [],
  };
  return { ...interpret(declaration, { timeoutMs: 1, startupTimeoutMs: 1, toolsTtlMs: 1 }), shadowed: [] };
}

const carry = (fields: JsonObject, expansion?: ExpansionRules): unknown =>
  toPortable(server(fields, expansion), "user");

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
  [{ url: "https://h.test/mcp?key=abc" }, "its url"],
  [{ url: "https://${HOST}/mcp?key=abc" }, "its url"],
  [{ url: "https://h.test", headers: { Authorization: "Basic ${B}", "X-Api-Key": "${K}" } }, undefined],
  [{ url: "https://h.test", headers: { Authorization: "Basic YWJjOmRlZg==" } }, "headers.Authorization"],
])("%j", (fields, secret) => {
  const carried = carry(fields);
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
])("%j of a plugin starts in the folder that its own tool uses", (fields, launch) => {
  const folders = { baseFolder: "/plugins/one", commandFolder: "/plugins/one" };
  expect(carry(fields, { ...NATIVE_EXPANSION, ...folders })).toMatchObject({ launch });
});

test("timeouts and tool lists are exported, and a star means all tools", () => {
  const fields = { command: "x", timeout: 5, startupTimeout: 6, allowTools: ["*"], denyTools: ["a"] };
  expect(carry(fields)).toEqual({
    name: "one",
    launch: { transport: "stdio", command: "x", args: [], env: {} },
    timeoutMs: 5,
    startupTimeoutMs: 6,
    denyTools: ["a"],
  });
});
