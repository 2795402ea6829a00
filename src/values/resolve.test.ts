import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { PROJECT, serverOf, USER } from "../../test/support/entries.ts";
import type { JsonObject, Secret } from "../model/index.ts";
import { createMemoryFiles } from "../testing/index.ts";
import { resolveServer } from "./resolve.ts";
import type { ResolvedServer } from "./resolved-server.ts";

const STEERING =
  "LD_PRELOAD NODE_OPTIONS PATH BASH_ENV DYLD_INSERT_LIBRARIES npm_config_registry PYTHONPATH".split(" ");

async function resolve(
  fields: JsonObject,
  variables: Record<string, string> = {},
  provenance = USER,
): Promise<ResolvedServer> {
  const server = serverOf("a", fields, provenance);
  if (server.launch === undefined) throw new Error("no launch");
  const environment = { platform: "linux", home: "/home/me", cwd: "/repo", variables };
  const files = createMemoryFiles(
    new Map([
      ["/repo/.env", "# secrets\nexport FROM_FILE='file value'\nBOTH=file\n"],
      ["/repo/steers.env", STEERING.map((name) => `${name}=./bin\n`).join("") + "KEY=1\n"],
    ]),
  );
  return resolveServer(server, server.launch, { environment, files });
}

test("variables without a usable name are not passed on, and reported", async () => {
  const env = { 0: "a", 12: "b", "": "c", "PLUGBOARD_RUN=x": "d", "ProgramFiles(x86)": "e", A: "f" };
  const { launch, problems } = revealed(await resolve({ command: "x", env }));
  expect(launch).toMatchObject({ env: { "ProgramFiles(x86)": "e", A: "f" } });
  expect(problems.map((problem) => /env\.(.*) is not passed on/.exec(problem)?.[1])).toEqual([
    "0",
    "12",
    "",
    "PLUGBOARD_RUN=x",
  ]);
});

test.each([
  ["linux", "a/b"],
  ["darwin", "a/b"],
  ["win32", "a\\b"],
])("the path separator is the platform's: %s", async (platform, expected) => {
  const own = serverOf("a", { command: "x", args: ["a${/}b"] });
  const expansion = { syntaxes: ["folders"], unset: "literal" } as const;
  const server = { ...own, declaration: { ...own.declaration, expansion } };
  if (server.launch === undefined) throw new Error("no launch");
  const environment = { platform, home: "/home/me", cwd: "/repo", variables: {} };
  const { launch } = await resolveServer(server, server.launch, {
    environment,
    files: createMemoryFiles(new Map()),
  });
  expect(launch).toMatchObject({ args: [expected] });
});

const reveal = (secrets: ReadonlyMap<string, Secret>): Record<string, string> =>
  Object.fromEntries([...secrets].map(([name, secret]) => [name, secret.reveal()]));

/** Returns a launch with its secrets revealed, for comparison. */
function revealed({ launch, problems }: ResolvedServer) {
  if (launch.transport === "in-process") throw new Error("not a launch with values");
  const open =
    launch.transport === "stdio"
      ? { ...launch, env: reveal(launch.env) }
      : { ...launch, headers: reveal(launch.headers) };
  delete open.shown;
  return { launch: open, problems: problems.map(({ code, message }) => `${code}: ${message}`) };
}

describe("a launch", () => {
  test("gets its values from the environment", async () => {
    const fields = {
      command: "${NODE:-node}",
      args: ["${FILE}", "--level=${LEVEL:-1}"],
      env: { TOKEN: "${TOKEN}", MODE: "plain" },
      cwd: "${DIR}",
    };
    expect(
      revealed(await resolve(fields, { FILE: "server.js", TOKEN: "t0ken", DIR: "/srv", LEVEL: "" })),
    ).toStrictEqual({
      launch: {
        transport: "stdio",
        command: "node",
        args: ["server.js", "--level=1"],
        cwd: "/srv",
        env: { TOKEN: "t0ken", MODE: "plain" },
        inheritEnv: false,
      },
      problems: [],
    });
  });

  test("of a remote server gets its values, too", async () => {
    const fields = { type: "sse", url: "https://${HOST}/mcp", headers: { Authorization: "Bearer ${TOKEN}" } };
    expect(revealed(await resolve(fields, { HOST: "x.dev", TOKEN: "t0ken" }))).toStrictEqual({
      launch: { transport: "sse", url: "https://x.dev/mcp", headers: { Authorization: "Bearer t0ken" } },
      problems: [],
    });
  });

  test("with unset variables keeps placeholders, but omits them from env and headers", async () => {
    const place = "/home/me/.plugboard/mcp.json:3:5";
    const local = { command: "${CMD}", args: ["${ARG}"], cwd: "${DIR}", env: { A: "x ${NO}", B: "kept" } };
    const remote = { type: "http", url: "https://${HOST}/", headers: { A: "Bearer ${NO}", B: "kept" } };
    expect([revealed(await resolve(local)), revealed(await resolve(remote))]).toStrictEqual([
      {
        launch: {
          transport: "stdio",
          command: "${CMD}",
          args: ["${ARG}"],
          cwd: "${DIR}",
          env: { B: "kept" },
          inheritEnv: false,
        },
        problems: [
          `value-unresolved: ${place} server "a": command needs \${CMD}, which is not set`,
          `value-unresolved: ${place} server "a": args needs \${ARG}, which is not set`,
          `value-unresolved: ${place} server "a": cwd needs \${DIR}, which is not set`,
          `value-unresolved: ${place} server "a": env.A needs \${NO}, which is not set`,
        ],
      },
      {
        launch: { transport: "http", url: "https://${HOST}/", headers: { B: "kept" } },
        problems: [
          `value-unresolved: ${place} server "a": headers.A needs \${NO}, which is not set`,
          `value-unresolved: ${place} server "a": url needs \${HOST}, which is not set`,
        ],
      },
    ]);
  });

  test("is started through its wrapper", async () => {
    const { launch } = await resolve(
      { command: "node", args: ["s.js"], wrap: ["bwrap", "--dir", "${DIR}"] },
      { DIR: "/x" },
    );
    expect(launch).toMatchObject({ command: "bwrap", args: ["--dir", "/x", "node", "s.js"] });
  });

  test("reads its envFile, and its own env takes precedence", async () => {
    const fields = { command: "node", envFile: ".env", env: { BOTH: "entry" } };
    expect(revealed(await resolve(fields, {}, PROJECT)).launch).toMatchObject({
      env: { FROM_FILE: "file value", BOTH: "entry" },
    });
    const own = { ...fields, resolveInProject: true };
    expect(revealed(await resolve(own)).launch).toMatchObject({ env: { FROM_FILE: "file value" } });
  });

  test.each([".env", "./.env"])(
    "of the user does not read an envFile from the working folder: %s",
    async (envFile) => {
      const { launch, problems } = revealed(await resolve({ command: "node", envFile, env: { A: "1" } }));
      expect("env" in launch ? launch.env : {}).toStrictEqual({ A: "1" });
      expect(problems[0]).toContain("in the current folder, so it is not read");
    },
  );

  test("of a project ignores envFile variables that could change what runs", async () => {
    const fields = { command: "node", envFile: "/repo/steers.env", env: { NODE_PATH: "/approved" } };
    const { launch, problems } = revealed(await resolve(fields, {}, PROJECT));
    expect(launch).toMatchObject({ env: { KEY: "1", NODE_PATH: "/approved" } });
    expect(Object.keys("env" in launch ? launch.env : {})).toStrictEqual(["KEY", "NODE_PATH"]);
    expect(problems).toHaveLength(STEERING.length);
    expect(problems[0]).toContain(
      "envFile ignores LD_PRELOAD in /repo/steers.env because it could change what runs",
    );
    expect(revealed(await resolve(fields)).launch).toMatchObject({ env: { PATH: "./bin", KEY: "1" } });
  });

  test("never displays values of env or headers", async () => {
    const local = await resolve({ command: "node", env: { TOKEN: "hunter22" } });
    const remote = await resolve({ type: "http", url: "https://x.dev", headers: { A: "Bearer hunter22" } });
    expect(inspect([local, remote], { depth: 9 }) + JSON.stringify([local, remote])).not.toContain(
      "hunter22",
    );
  });
});
