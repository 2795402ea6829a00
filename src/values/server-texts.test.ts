import { describe, expect, test } from "vitest";
import { serverOf } from "../../test/support/entries.ts";
import type { ExpansionRules, JsonObject, Launch } from "../model/index.ts";
import { createMemoryFiles } from "../testing/index.ts";
import type { ResolveContext } from "./resolved-server.ts";
import { ServerTexts } from "./server-texts.ts";

const EVERYTHING: ExpansionRules = {
  syntaxes: ["braced", "input", "shell", "file", "keychain", "foreign", "folders"],
  unset: "literal",
};
const requestedSecrets: string[] = [];
const SOURCES: NonNullable<ResolveContext["sources"]> = {
  commands: {
    value: () => Promise.reject(new Error("no command is run here")),
    fresh: () => Promise.reject(new Error("no command is run here")),
  },
  async secret(name) {
    requestedSecrets.push(name);
    return name.startsWith("stored") ? `<${name}>` : undefined;
  },
};

interface Given {
  readonly rules?: Partial<ExpansionRules>;
  readonly sources?: ResolveContext["sources"];
  readonly home?: string | undefined;
}

async function textsOf(fields: JsonObject, options: Given = {}): Promise<ServerTexts> {
  const own = serverOf("a", "url" in fields ? fields : { command: "node", ...fields });
  const declaration = { ...own.declaration, expansion: { ...EVERYTHING, ...options.rules } };
  const files = createMemoryFiles(
    new Map([
      ["/home/me/.plugboard/beside", " beside \n"],
      ["/home/me/key", "at home"],
      ["/home/me/.plugboard/~/key", "wrong"],
      ["/home/me/.plugboard/key", "wrong"],
    ]),
  );
  requestedSecrets.length = 0;
  return ServerTexts.create({ ...own, declaration }, own.launch as Launch, {
    environment: {
      platform: "linux",
      home: "home" in options ? options.home : "/home/me",
      cwd: "/repo",
      variables: { SET: "value", HOME: "/home/me" },
    },
    files,
    sources: "sources" in options ? options.sources : SOURCES,
  });
}

const messagesOf = ({ problems }: ServerTexts) =>
  problems.map(({ code, message }) => `${code}: ${message.replace(/^.* server "a": /, "")}`);

describe("a string", () => {
  test("is expanded and can be displayed without its values", async () => {
    const texts = await textsOf({});
    expect(texts.fill("args", "x ${SET} ${HOME}")).toEqual({
      text: "x value /home/me",
      shown: "x ${SET} /home/me",
      complete: true,
    });
    expect([[...texts.hidden], [...texts.shown]]).toEqual([
      ["value"],
      [["x value /home/me", "x ${SET} /home/me"]],
    ]);
    expect(texts.problems).toEqual([]);
  });

  test.each(["env.A", "headers.A"])(
    "of %s is never displayed, so it has no displayed form",
    async (field) => {
      const texts = await textsOf({});
      texts.fill(field, "${SET}");
      expect([[...texts.hidden], [...texts.shown]]).toEqual([["value"], []]);
    },
  );

  test("without hidden values is displayed unchanged", async () => {
    const texts = await textsOf({});
    texts.fill("args", "${HOME}");
    expect([[...texts.hidden], [...texts.shown]]).toEqual([[], []]);
  });

  test.each([
    ["args", "${GONE}", "value-unresolved: args needs ${GONE}, which is not set"],
    ["env.A", "${input:key}", 'value-unresolved: env.A requires the input "key"'],
    ["args", "$(id)", "value-dynamic: args contains the command $(id), which Plugboard does not run"],
    ["env.A", "${file:gone}", "value-unresolved: env.A needs the file gone, which cannot be read"],
    ["env.A", "${keychain:gone}", 'value-dynamic: env.A needs the secret "gone", which is not stored'],
    [
      "args",
      "${keychain:stored}",
      'value-dynamic: args refers to the secret "stored", but secrets are available only in env, headers and oauth',
    ],
  ])("in %s with %s is incomplete and reported", async (field, text, problem) => {
    const texts = await textsOf({});
    expect(texts.fill(field, text)).toEqual({ text, shown: text, complete: false });
    expect(messagesOf(texts)).toEqual([problem]);
  });

  test.each([
    ["${file:beside}", "value-unresolved: env.A is read from a file only after you approve the server"],
    [
      "${keychain:stored}",
      "value-dynamic: env.A is a stored secret that is used only after you approve the server",
    ],
  ])("with %s is not expanded before the server is approved", async (text, problem) => {
    const texts = await textsOf({ env: { A: text } }, { sources: undefined });
    expect(texts.fill("env.A", text)).toMatchObject({ text, complete: false });
    expect(messagesOf(texts)).toEqual([problem]);
  });

  test.each<[string, Partial<ExpansionRules>, string, string, boolean]>([
    ["a variable that expands to an empty string", { unset: "empty" }, "x${GONE}", "x", true],
    ["a variable that is empty only in env", { unsetInEnv: "empty" }, "x${GONE}", "x", true],
    ["a variable that stays as written", {}, "x${GONE}", "x${GONE}", false],
    ["an input", { unset: "empty" }, "x${input:key}", "x${input:key}", false],
    ["a command", { unset: "empty" }, "x$(id)", "x$(id)", false],
    ["a secret", { unset: "empty" }, "x${keychain:gone}", "x${keychain:gone}", false],
    ["another tool's syntax", { unset: "empty" }, "${{ a }}${GONE}", "${{ a }}", false],
  ])("may be complete without %s: %j", async (_, rules, written, text, complete) => {
    expect((await textsOf({}, { rules })).fill("env.A", written)).toMatchObject({ text, complete });
  });
});

test.each(["${GONE} ${input:a}", "${GONE} $(id)", "${input:a} $(id)", "${GONE} ${input:a} $(id)"])(
  "a string with several missing values is incomplete: %s",
  async (text) => {
    expect((await textsOf({})).fill("args", text).complete).toBe(false);
  },
);

describe("files and secrets of placeholders are read first", () => {
  test("in env and in sign-in settings", async () => {
    const texts = await textsOf({
      env: { A: "${keychain:stored-a} ${file:beside}" },
      oauth: { clientSecret: "${keychain:stored-b}", deep: { x: "${file:~/key}" } },
    });
    expect(requestedSecrets).toEqual(["stored-a", "stored-b"]);
    expect(texts.fill("env.A", "${keychain:stored-a} ${file:beside}").text).toBe("<stored-a> beside");
    expect(texts.fill("oauth.clientSecret", "${keychain:stored-b}").text).toBe("<stored-b>");
    expect(texts.fill("oauth.deep.x", "${file:~/key}").text).toBe("at home");
    expect([...texts.hidden]).toEqual(["<stored-a>", "beside", "<stored-b>", "at home"]);
  });

  test("in the headers of a remote server", async () => {
    const texts = await textsOf({
      type: "http",
      url: "https://x.test",
      headers: { A: "Bearer ${keychain:stored}" },
    });
    expect(texts.fill("headers.A", "Bearer ${keychain:stored}")).toEqual({
      text: "Bearer <stored>",
      shown: "Bearer ${keychain:stored}",
      complete: true,
    });
  });

  test("but no others", async () => {
    await textsOf({ env: { A: "keychain:stored", B: "${SET}" } });
    expect(requestedSecrets).toEqual([]);
  });
});

test.each([
  ["beside", "/home/me", "beside"],
  ["~/key", "/home/me", "at home"],
  ["~/key", undefined, undefined],
  ["/home/me/key", undefined, "at home"],
  ["gone", "/home/me", undefined],
  ["/home/me", "/home/me", undefined], // a folder
])("the file %s, with the home folder %s, has the text %s", async (name, home, expected) => {
  const texts = await textsOf({}, { home });
  const failed = `needs the file ${name}, which cannot be read`;
  expect(await texts.readNamed(name)).toEqual(expected === undefined ? { failed } : { text: expected });
});

test("a problem has the position of its field", async () => {
  const own = serverOf("a", { command: "node" });
  const positionOf = (field: string) => (field === "env" ? { line: 7, column: 9 } : undefined);
  const server = { ...own, declaration: { ...own.declaration, positionOf } };
  const texts = await ServerTexts.create(server, own.launch as Launch, {
    environment: { platform: "linux", home: "/home/me", cwd: "/repo", variables: {} },
    files: createMemoryFiles(new Map()),
  });
  texts.complain("env.A.B", "is odd");
  texts.complain("cwd", "is odd");
  expect(texts.problems).toMatchObject([
    { message: '/home/me/.plugboard/mcp.json:7:9 server "a": env.A.B is odd', line: 7, column: 9 },
    { message: '/home/me/.plugboard/mcp.json:3:5 server "a": cwd is odd', line: 3, column: 5 },
  ]);
});
