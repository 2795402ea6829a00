import { describe, expect, test } from "vitest";
import { PROJECT, serverOf, USER } from "../../test/support/entries.ts";
import type { ExpansionRules, JsonObject, Secret, ServerDeclaration } from "../model/index.ts";
import { createMemoryFiles } from "../testing/index.ts";
import { resolveServer } from "./resolve.ts";
import type { ResolveContext } from "./resolved-server.ts";

const VARIABLES = { NAME: "value", HOME: "/home/me", TOKEN: "t0ken", EMPTY: "" };

interface Given {
  readonly expansion?: Partial<ExpansionRules>;
  readonly projectFolder?: string;
  readonly platform?: string;
  readonly context?: Partial<ResolveContext>;
}

async function resolve(fields: JsonObject, options: Given = {}) {
  const { projectFolder, expansion, platform = "linux", context } = options;
  const own = serverOf("a", fields, projectFolder === undefined ? USER : PROJECT);
  const { projectFolder: _, ...rest } = own.declaration;
  const declaration: ServerDeclaration = {
    ...rest,
    expansion: { ...rest.expansion, ...expansion },
    ...(projectFolder !== undefined && { projectFolder }),
  };
  if (own.launch === undefined) throw new Error("no launch");
  const resolved = await resolveServer({ ...own, declaration }, own.launch, {
    environment: { platform, home: "/home/me", cwd: "/repo", variables: VARIABLES },
    files: createMemoryFiles(new Map([["/repo/.env", "A=from the file"]])),
    ...context,
  });
  const problems = resolved.problems.map(
    ({ code, message }) => `${code}: ${message.replace(/^.* server "a": /, "")}`,
  );
  return { ...resolved, problems };
}
const local = async (fields: JsonObject, options?: Given) => {
  const { launch, ...rest } = await resolve({ command: "node", ...fields }, options);
  if (launch.transport !== "stdio") throw new Error("not local");
  return { ...rest, launch: { ...launch, env: reveal(launch.env), shown: [...(launch.shown ?? [])] } };
};
const remote = async (fields: JsonObject, options?: Given) => {
  const { launch, ...rest } = await resolve({ type: "http", url: "https://x.test", ...fields }, options);
  if (!("url" in launch)) throw new Error("not remote");
  return { ...rest, launch: { ...launch, headers: reveal(launch.headers) } };
};
const reveal = (secrets: ReadonlyMap<string, Secret>): Record<string, string> =>
  Object.fromEntries([...secrets].map(([name, secret]) => [name, secret.reveal()]));

describe("sign-in settings", () => {
  test("are omitted if the entry has none", async () => {
    expect(await remote({})).not.toHaveProperty("oauth");
  });

  test("have all strings expanded, and keep other values", async () => {
    const oauth = {
      clientId: "${NAME}",
      nested: { secret: "x-${TOKEN}" },
      port: 5,
      on: false,
      none: null,
      scopes: ["read"],
    };
    const resolved = await remote({ oauth });
    expect(resolved.oauth).toStrictEqual({
      clientId: "value",
      nested: { secret: "x-t0ken" },
      port: 5,
      on: false,
      none: null,
      scopes: ["read"],
    });
    expect(resolved.hidden).toStrictEqual(["value", "t0ken"]);
  });

  test("omit unresolved strings and report them with their path", async () => {
    const { oauth, problems } = await remote({ oauth: { clientId: "c", deep: { secret: "${GONE}" } } });
    expect(oauth).toStrictEqual({ clientId: "c", deep: {} });
    expect(problems).toStrictEqual(["value-unresolved: oauth.deep.secret needs ${GONE}, which is not set"]);
  });

  test("have the strings in lists expanded", async () => {
    const given = { scopes: ["read:${NAME}", "plain", "${GONE}", 5, { deep: ["${NAME}"] }] };
    const { oauth, problems } = await remote({ oauth: given });
    expect(oauth).toStrictEqual({ scopes: ["read:value", "plain", 5, { deep: ["value"] }] });
    expect(problems).toStrictEqual(["value-unresolved: oauth.scopes[2] needs ${GONE}, which is not set"]);
  });

  test("report another tool's placeholder as written", async () => {
    const { problems } = await remote(
      { oauth: { clientId: "${{ secrets.ID }}" } },
      { expansion: { syntaxes: ["foreign"] } },
    );
    expect(problems).toStrictEqual([
      "value-unresolved: oauth.clientId needs ${{ secrets.ID }}, which is not set",
    ]);
  });

  test.each([[true], [false], [null]])("may be just %j", async (oauth) => {
    expect((await remote({ oauth })).oauth).toBe(oauth);
  });

  test("that are a single unresolved string are omitted", async () => {
    expect(await remote({ oauth: "${GONE}" })).not.toHaveProperty("oauth");
  });
});

describe("a resolved server", () => {
  test("keeps its name, timeouts and protocol", async () => {
    const fields = { command: "node", timeout: 5_000, startupTimeout: 7_000, protocol: "2025-06-18" };
    const own = serverOf("a", fields);
    const { name, timeoutMs, timeoutSource, startupTimeoutMs, startupTimeoutSource, protocol } = own;
    const { installTimeoutMs, installTimeoutSource } = own;
    expect(await resolve(fields)).toMatchObject({
      name,
      timeoutMs,
      timeoutSource,
      startupTimeoutMs,
      startupTimeoutSource,
      installTimeoutMs,
      installTimeoutSource,
      protocol,
    });
  });

  test("does not hide empty values, because they would match everywhere", async () => {
    const envFile = { path: "/x", variables: new Map([["A", ""]]) };
    const { hidden } = await local({ envFile: ".env" }, { context: { envFile } });
    expect(hidden).toStrictEqual([]);
  });

  test("has no displayed forms for strings without values", async () => {
    expect((await resolve({ command: "node", args: ["${HOME}"] })).launch).not.toHaveProperty("shown");
  });

  test.each<[string, JsonObject, unknown]>([
    ["not", {}, false],
    ["whole", { inheritEnv: true }, true],
    ["partially", { inheritEnv: ["A"] }, ["A"]],
  ])("inherits the environment %s", async (_, fields, expected) => {
    expect((await local(fields)).launch.inheritEnv).toStrictEqual(expected);
  });
});

describe("the command", () => {
  test("of a project is resolved from its folder, and its values are hidden", async () => {
    const { launch } = await local({ command: "./${NAME}" }, { projectFolder: "/project" });
    expect(launch).toMatchObject({ command: "/project/value", args: [] });
    expect(launch.shown).toContainEqual(["/project/value", "/project/${NAME}"]);
  });

  test("without values has no displayed form", async () => {
    const { launch } = await local({ command: "./x" }, { projectFolder: "/project" });
    expect(launch).toMatchObject({ command: "/project/x", shown: [] });
  });

  test("is a path by the rules of its platform", async () => {
    const on = async (platform: string) =>
      (await local({ command: "bin\\x" }, { projectFolder: "/project", platform })).launch.command;
    expect([await on("linux"), await on("win32")]).toStrictEqual(["bin\\x", "/project/bin\\x"]);
  });

  test("follows its wrapper, which is also resolved from the project's folder", async () => {
    const fields = { command: "./x", args: ["y"], wrap: ["./w", "${NAME}"] };
    const { launch } = await local(fields, { projectFolder: "/project" });
    expect(launch).toMatchObject({ command: "/project/w", args: ["value", "/project/x", "y"] });
  });

  test("of another tool's plugin is resolved from the plugin's folder, but a wrapper is not", async () => {
    const fields = { command: "./x", wrap: ["./${NAME}"] };
    const { launch } = await local(fields, { expansion: { commandFolder: "/plugin" } });
    expect(launch).toMatchObject({ command: "./value", args: ["/plugin/x"] });
  });

  test.each<[string[], Given]>([
    [["w", "${GONE}"], {}],
    [["${GONE}"], {}],
    [["${GONE}"], { projectFolder: "/project" }],
  ])("reports unset variables in the wrapper %j of %j", async (wrap, options) => {
    const { problems } = await local({ wrap }, options);
    expect(problems).toStrictEqual(["value-unresolved: wrap needs ${GONE}, which is not set"]);
  });
});

describe("the folder", () => {
  test.each<[string | undefined, Given, string | undefined]>([
    [undefined, {}, undefined],
    [undefined, { projectFolder: "/project" }, undefined],
    [undefined, { expansion: { baseFolder: "/base" } }, "/base"],
    ["sub", { projectFolder: "/project" }, "/project/sub"],
    ["sub", {}, "sub"],
  ])("%s of %j is %s", async (cwd, options, expected) => {
    const { launch } = await local(cwd === undefined ? {} : { cwd }, options);
    expect(launch).toMatchObject({ shown: [] });
    expect(launch.cwd).toBe(expected);
  });

  test("is displayed without its values", async () => {
    const inProject = await local({ cwd: "${NAME}" }, { projectFolder: "/project" });
    expect(inProject.launch.cwd).toBe("/project/value");
    expect(inProject.launch.shown).toContainEqual(["/project/value", "/project/${NAME}"]);
    const elsewhere = await local({ cwd: "${NAME}" });
    expect(elsewhere.launch.cwd).toBe("value");
    expect(elsewhere.launch.shown).toStrictEqual([["value", "${NAME}"]]);
  });
});

describe("the envFile", () => {
  test("is used as already read for this launch", async () => {
    const envFile = { path: "/repo/.env", variables: new Map([["A", "as it was checked"]]) };
    const { launch, hidden } = await local({ envFile: ".env" }, { context: { envFile } });
    expect(launch.env).toStrictEqual({ A: "as it was checked" });
    expect(hidden).toStrictEqual(["as it was checked"]);
  });

  test("is read if it was not read before", async () => {
    expect((await local({ envFile: ".env", resolveInProject: true })).launch.env).toStrictEqual({
      A: "from the file",
    });
  });

  test("is not used by a launch without an envFile", async () => {
    const envFile = { path: "/repo/.env", variables: new Map([["A", "1"]]) };
    expect((await local({}, { context: { envFile } })).launch.env).toStrictEqual({});
  });
});

describe("the headers of a remote server", () => {
  const commands = (text: string) => ({
    sources: {
      commands: {
        value: () => Promise.reject(new Error("a kept answer may be too old")),
        fresh: async (command: string, _: string, variables: Readonly<Record<string, string>>) => {
          calls.push([command, variables]);
          return { text };
        },
      },
      secret: async () => undefined,
    },
  });
  const calls: unknown[] = [];

  test("may come from variables, with a prefix", async () => {
    const fields = {
      bearerTokenEnv: "TOKEN",
      envHeaders: { "X-Name": "NAME", "X-Gone": "GONE", "X-Empty": "EMPTY" },
    };
    const { launch, hidden, problems } = await remote(fields);
    expect(launch.headers).toStrictEqual({ Authorization: "Bearer t0ken", "X-Name": "value" });
    expect([...hidden].sort()).toStrictEqual(["t0ken", "value"]);
    expect(problems).toStrictEqual([
      "value-unresolved: headers.X-Gone needs ${GONE}, which is not set",
      "value-unresolved: headers.X-Empty needs ${EMPTY}, which is not set",
    ]);
  });

  test("may come from a command, which runs last and receives the URL", async () => {
    calls.length = 0;
    const fields = { url: "https://${NAME}.test", headers: { A: "1", B: "2" }, headersHelper: "print" };
    const { launch, hidden, problems } = await remote(fields, { context: commands('{"A": "printed"}') });
    expect(launch).toMatchObject({ url: "https://value.test", headers: { A: "printed", B: "2" } });
    expect([...hidden].sort()).toStrictEqual(["printed", "value"]);
    expect(problems).toStrictEqual([]);
    expect(calls).toStrictEqual([
      ["print", { CLAUDE_CODE_MCP_SERVER_NAME: "a", CLAUDE_CODE_MCP_SERVER_URL: "https://value.test" }],
    ]);
  });

  test("omit the output of an unapproved or failing command", async () => {
    const fields = { headers: { A: "1" }, headersHelper: "print" };
    const unapproved = await remote(fields);
    expect(unapproved.launch.headers).toStrictEqual({ A: "1" });
    expect(unapproved.problems).toStrictEqual([
      "value-dynamic: headersHelper is a command that runs only after you approve the server",
    ]);
    const failing = await remote(fields, { context: commands("no JSON") });
    expect(failing.launch.headers).toStrictEqual({ A: "1" });
    expect(failing.problems).toStrictEqual([
      "value-dynamic: headersHelper is a command that did not print a JSON object of strings",
    ]);
  });
});

describe("a header that decides where a request goes or how it is framed", () => {
  const FRAMING = [
    "Connection",
    "content-length",
    "Transfer-Encoding",
    "TE",
    "Trailer",
    "Upgrade",
    "Keep-Alive",
    "Expect",
    "HTTP2-Settings",
    "Proxy-Connection",
    "Proxy-Authorization",
    ":authority",
  ];
  const ROUTING = [
    "Host",
    "hOST",
    "Forwarded",
    "X-Forwarded-Host",
    "X-Forwarded-Server",
    "X-Host",
    "X-Original-URL",
    "X-Original-Host",
    "X-Rewrite-URL",
  ];
  const inProject = { projectFolder: "/repo" };

  test.each(FRAMING)("is not sent for any entry and reported: %s", async (name) => {
    const headers = { [name]: "a", "X-Kept": "b" };
    for (const options of [{}, inProject]) {
      const { launch, problems } = await remote({ headers }, options);
      expect([launch.headers, problems]).toStrictEqual([
        { "X-Kept": "b" },
        [`value-unresolved: headers.${name} is not sent: Plugboard sets it`],
      ]);
    }
  });

  test.each(ROUTING)("is not sent for a project's entry and reported: %s", async (name) => {
    const { launch, problems } = await remote(
      { headers: { [name]: "evil.example", "X-Kept": "b" } },
      inProject,
    );
    expect([launch.headers, problems]).toStrictEqual([
      { "X-Kept": "b" },
      [`value-unresolved: headers.${name} is not sent: it could send your sign-in to another site`],
    ]);
  });

  test.each(ROUTING)("is sent if the user's own file sets it: %s", async (name) => {
    const { launch, problems } = await remote({ headers: { [name]: "inside.example" } });
    expect([launch.headers, problems]).toStrictEqual([{ [name]: "inside.example" }, []]);
  });
});
