import { describe, expect, test } from "vitest";
import { PROJECT, serverOf, USER } from "../../test/support/entries.ts";
import type { ExpansionRules, JsonObject } from "../model/index.ts";
import { createMemoryFiles } from "../testing/index.ts";
import { checkSources, resolveServer } from "./resolve.ts";
import type { ResolveContext } from "./resolved-server.ts";

const VARIABLES = { WORK_TOKEN: "from a variable", HOME: "/home/me", EMPTY_TOKEN: "", PORT: "80" };
const FILES = new Map([
  ["/home/me/.plugboard/beside", "  beside the config file\n"],
  ["/home/me/key", "in the home folder"],
  ["/etc/key", "at a path of its own"],
  ["/etc/large", "x".repeat(1024 * 1024 + 1)],
  ["/etc/most", "x".repeat(1024 * 1024)],
  ["/etc/empty", "\n"],
]);
const EMPTY_SOURCES = {
  commands: {
    value: async () => ({ failed: "ended with code 1" }),
    fresh: async () => ({ failed: "ended with code 1" }),
  },
  secret: async () => undefined,
};
const SOURCES = {
  commands: {
    value: async (command: string) => ({ text: `output of ${command}` }),
    fresh: async (command: string) => ({ text: JSON.stringify({ "X-Helper": `fresh ${command}` }) }),
  },
  secret: async (name: string) => (name === "stored" ? "from the store" : undefined),
};
const environment = { platform: "linux", home: "/home/me", cwd: "/repo", variables: VARIABLES };

interface Given {
  readonly sources?: ResolveContext["sources"];
  readonly expansion?: Partial<ExpansionRules>;
  readonly home?: string | undefined;
}

function given(fields: JsonObject, options: Given = {}) {
  const own = serverOf("a", "url" in fields ? fields : { command: "node", ...fields });
  const expansion = { ...own.declaration.expansion, ...options.expansion };
  const server = { ...own, declaration: { ...own.declaration, expansion } };
  if (server.launch === undefined) throw new Error("no launch");
  const context: ResolveContext = {
    environment: {
      ...environment,
      ...("home" in options && { home: options.home }),
    },
    files: createMemoryFiles(new Map(FILES)),
    sources: "sources" in options ? options.sources : SOURCES,
  };
  return [server, server.launch, context] as const;
}

async function resolved(fields: JsonObject, options?: Given) {
  const { launch, hidden, plain, problems } = await resolveServer(...given(fields, options));
  if (launch.transport === "in-process") throw new Error("not a launch with values");
  const secrets = launch.transport === "stdio" ? launch.env : launch.headers;
  return {
    values: Object.fromEntries([...secrets].map(([name, secret]) => [name, secret.reveal()])),
    hidden: [...hidden],
    plain: [...plain],
    problems: messagesOf(problems),
  };
}
const messagesOf = (problems: readonly { code: string; message: string }[]) =>
  problems.map(({ code, message }) => `${code}: ${message.replace(/^.* server "a": /, "")}`);

const NOT_SET = "looks like the name of a variable that is not set, so it is sent unchanged";

describe("a value from a source", () => {
  test.each([
    ["a command", "!print token", "output of print token"],
    ["the vault", "keychain:stored", "from the store"],
    ["a file next to the config file", "file:beside", "beside the config file"],
    ["a file in the home folder", "file:~/key", "in the home folder"],
    ["a file at an absolute path", "file:/etc/key", "at a path of its own"],
    ["a variable", "WORK_TOKEN", "from a variable"],
    ["a placeholder", "${keychain:stored}", "from the store"],
  ])("is read and never displayed: %s", async (_, value, expected) => {
    expect(await resolved({ env: { A: value } })).toEqual({
      values: { A: expected },
      hidden: [expected],
      plain: [],
      problems: [],
    });
  });

  test("is read from a file of at most 1 MB", async () => {
    const { values, problems } = await resolved({ env: { A: "file:/etc/most", B: "file:/etc/large" } });
    expect(values["A"]).toHaveLength(1024 * 1024);
    expect(problems).toEqual(["value-dynamic: env.B needs the file /etc/large, which cannot be read"]);
  });

  test.each([
    ["!fail", "is the output of a command that ended with code 1"],
    ["keychain:gone", 'needs the secret "gone", which is not stored'],
    ["file:gone", "needs the file gone, which cannot be read"],
    ["file:/etc/empty", "needs the file /etc/empty, which cannot be read"],
  ])("that cannot be read is omitted and reported: %s", async (value, why) => {
    const answer = await resolved({ env: { A: value, B: "kept" } }, { sources: EMPTY_SOURCES });
    expect(answer).toStrictEqual({
      values: { B: "kept" },
      hidden: [],
      plain: [],
      problems: [`value-dynamic: env.A ${why}`],
    });
  });

  test("in the home folder requires a home folder", async () => {
    const { values, problems } = await resolved({ env: { A: "file:~/key" } }, { home: undefined });
    expect(values).toEqual({});
    expect(problems).toEqual(["value-dynamic: env.A needs the file ~/key, which cannot be read"]);
  });

  test.each([
    ["!print", "is the output of a command that runs only after you approve the server"],
    ["keychain:stored", "is a stored secret that is used only after you approve the server"],
    ["file:beside", "is read from a file only after you approve the server"],
    ["${keychain:stored}", "is a stored secret that is used only after you approve the server"],
  ])("is not read before the server is approved: %s", async (value, why) => {
    expect(await resolved({ env: { A: value } }, { sources: undefined })).toEqual({
      values: {},
      hidden: [],
      plain: [],
      problems: [`value-dynamic: env.A ${why}`],
    });
  });

  test.each(["!print", "keychain:stored", "file:beside", "WORK_TOKEN"])(
    "is plain text in formats without sources: %s",
    async (value) => {
      for (const secretValues of [false, undefined]) {
        const expansion = { secretValues } as Partial<ExpansionRules>;
        const answer = await resolved({ env: { A_TOKEN: value } }, { expansion });
        expect(answer).toEqual({ values: { A_TOKEN: value }, hidden: [], plain: [], problems: [] });
      }
    },
  );

  test.each(["WORK_TOKEN", "GONE_TOKEN", "EMPTY_TOKEN"])(
    "is omitted before the server is approved if it is a variable's name: %s",
    async (value) => {
      const why = "is the name of a variable that is filled in only after you approve the server";
      expect(await resolved({ env: { A_TOKEN: value } }, { sources: undefined })).toEqual({
        values: {},
        hidden: [],
        plain: [],
        problems: [`value-dynamic: env.A_TOKEN ${why}`],
      });
      const [server, launch, context] = given({ env: { A_TOKEN: value } }, { sources: undefined });
      expect(messagesOf(await checkSources(server, launch, context))).toEqual([
        `value-dynamic: env.A_TOKEN ${why}`,
      ]);
    },
  );

  test("is omitted before the server is approved if it is a variable's name, for any key", async () => {
    const { values } = await resolved(
      { env: { A: "PORT", B: "plain text", C: "DEBUG" } },
      { sources: undefined },
    );
    expect(values).toEqual({ B: "plain text", C: "DEBUG" });
  });
});

describe("a secret that looks like a variable's name", () => {
  test.each(["GONE_TOKEN", "EMPTY_TOKEN", "A1_2"])("is sent unchanged and reported: %s", async (value) => {
    expect(await resolved({ env: { API_KEY: value } })).toMatchObject({
      values: { API_KEY: value },
      problems: [`value-unresolved: env.API_KEY ${NOT_SET}`],
    });
  });

  test.each([
    ["API_KEY", "GONE"],
    ["API_KEY", "gone_token"],
    ["API_KEY", "GONE_TOKEN-x"],
    ["API_KEY", "1GONE_TOKEN"],
    ["REGION", "EU_WEST"],
    ["API_KEY", "WORK_TOKEN"],
  ])("is not reported: %s=%s", async (key, value) => {
    expect((await resolved({ env: { [key]: value } })).problems).toEqual([]);
  });
});

describe("the values that may be displayed", () => {
  test("contain only folder variables", async () => {
    const env = {
      FOLDER: "${HOME}/x",
      NAMED: "HOME",
      WRITTEN: "text",
      PORT: "${PORT}",
      BOTH: "${HOME}/${PORT}",
      API_KEY: "${HOME}/x",
      NAMED_PORT: "PORT",
    };
    expect(await resolved({ env })).toEqual({
      values: {
        FOLDER: "/home/me/x",
        NAMED: "/home/me",
        WRITTEN: "text",
        PORT: "80",
        BOTH: "/home/me/80",
        API_KEY: "/home/me/x",
        NAMED_PORT: "80",
      },
      hidden: ["80"],
      plain: ["FOLDER", "NAMED"],
      problems: [],
    });
  });
});

describe("checking the sources of a launch", () => {
  const checked = async (fields: JsonObject, options?: Given) =>
    messagesOf(await checkSources(...given(fields, options)));

  test("finds no problems if all sources work", async () => {
    const env = { A: "!x", B: "keychain:stored", API_KEY: "WORK_TOKEN", D: "x ${keychain:stored}" };
    expect(await checked({ env })).toEqual([]);
  });

  test("reports only the sources that fail", async () => {
    const env = {
      A: "!x",
      B: "keychain:b",
      C: "${HOME} ${keychain:c}",
      D: "${GONE}",
      API_KEY: "GONE_TOKEN",
      E: "text",
    };
    expect(await checked({ env }, { sources: EMPTY_SOURCES })).toEqual([
      "value-dynamic: env.A is the output of a command that ended with code 1",
      'value-dynamic: env.B needs the secret "b", which is not stored',
      'value-dynamic: env.C needs the secret "c", which is not stored',
      `value-unresolved: env.API_KEY ${NOT_SET}`,
    ]);
  });

  test("reads the headers of a remote server and runs its headers command", async () => {
    const fields = {
      type: "http",
      url: "https://x.test",
      headers: { A: "!x", Authorization: "GONE_TOKEN" },
      headersHelper: "print",
    };
    expect(await checked(fields, { sources: EMPTY_SOURCES })).toEqual([
      "value-dynamic: headers.A is the output of a command that ended with code 1",
      `value-unresolved: headers.Authorization ${NOT_SET}`,
      "value-dynamic: headersHelper is a command that ended with code 1",
    ]);
  });

  test("does not run a headers command for a local server", async () => {
    expect(await checked({ headersHelper: "print" }, { sources: EMPTY_SOURCES })).toEqual([]);
  });
});

test.each([USER, PROJECT])("a problem has the field's position: $tier", async (provenance) => {
  const server = serverOf("a", { command: "node", env: { A: "keychain:gone" } }, provenance);
  if (server.launch === undefined) throw new Error("no launch");
  const context = { environment, files: createMemoryFiles(new Map()), sources: SOURCES };
  const { problems } = await resolveServer(server, server.launch, context);
  expect(problems).toEqual([
    {
      code: "value-dynamic",
      severity: "warning",
      message: `${provenance.file}:3:5 server "a": env.A needs the secret "gone", which is not stored`,
      server: "a",
      file: provenance.file,
      line: 3,
      column: 5,
    },
  ]);
});

test("a folder list drops parts that became empty by expansion, and reports that without the value", async () => {
  const fields = { env: { PYTHONPATH: "${EMPTY_TOKEN}:/opt/lib", PERL5LIB: "${WORK_TOKEN}" } };
  const expected = (name: string, parts: string): string =>
    `value-unresolved: env.${name} skips ${parts} empty or relative after expansion, because the working folder would then decide what runs`;
  const { values, problems } = await resolved(fields);
  expect(values).toEqual({ PYTHONPATH: "/opt/lib" });
  expect(problems).toEqual([
    expected("PYTHONPATH", "a folder that is"),
    expected("PERL5LIB", "a folder that is"),
  ]);
  expect((await resolved({ ...fields, resolveInProject: true })).problems).toEqual([]);
});
