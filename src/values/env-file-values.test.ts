import { expect, test } from "vitest";
import { PROJECT, serverOf, USER } from "../../test/support/entries.ts";
import type { Launch } from "../model/index.ts";
import { createMemoryFiles } from "../testing/index.ts";
import type { EnvFile } from "./env-file.ts";
import { envFileValues } from "./env-file-values.ts";
import { ServerTexts } from "./server-texts.ts";

async function valuesOf(envFile: string, read: Partial<EnvFile>, provenance = USER) {
  const server = serverOf("a", { command: "node" }, provenance);
  const environment = { platform: "linux", home: "/home/me", cwd: "/repo", variables: { NAME: "hidden" } };
  const texts = await ServerTexts.create(server, server.launch as Launch, {
    environment,
    files: createMemoryFiles(new Map()),
  });
  const found = envFileValues(texts, envFile, { path: "/x", variables: new Map(), ...read });
  return {
    values: found.map(([name, secret]) => [name, secret.reveal()]),
    hidden: [...texts.hidden],
    problems: texts.problems.map(
      ({ code, message }) => `${code}: ${message.replace(/^.* server "a": /, "")}`,
    ),
  };
}
const unreadable = (error: unknown): Partial<EnvFile> => ({ failure: { kind: "unreadable", error } });
const denied = Object.assign(new Error("EACCES: permission denied, open '/repo/hidden.env'"), {
  code: "EACCES",
});

test("the file's variables are set and hidden", async () => {
  const variables = new Map([
    ["A", "1"],
    ["PATH", "/bin"],
  ]);
  expect(await valuesOf(".env", { variables })).toEqual({
    values: [
      ["A", "1"],
      ["PATH", "/bin"],
    ],
    hidden: ["1", "/bin"],
    problems: [],
  });
});

test("a project's file cannot set variables that change what runs", async () => {
  const variables = new Map([
    ["A", "1"],
    ["PATH", "/bin"],
  ]);
  expect(await valuesOf(".env", { variables }, PROJECT)).toEqual({
    values: [["A", "1"]],
    hidden: ["1", "/bin"],
    problems: [
      'value-unresolved: envFile ignores PATH in .env because it could change what runs; set it in "env" instead',
    ],
  });
});

test.each<[string, string, Partial<EnvFile>, string[]]>([
  ["is missing", ".env", { failure: { kind: "missing" } }, ["envFile points to .env, which does not exist"]],
  [
    "is missing, with a value in its name",
    "${NAME}.env",
    { failure: { kind: "missing" } },
    ["envFile points to ${NAME}.env, which does not exist"],
  ],
  [
    "depends on the working folder",
    "${NAME}.env",
    { failure: { kind: "workingFolder" } },
    [
      'envFile points to ${NAME}.env in the current folder, so it is not read: use an absolute path, or set "resolveInProject" to use each folder\'s own file',
    ],
  ],
  [
    "is a link to a file outside the project",
    ".env",
    { failure: { kind: "outside", leadsTo: "/etc/a" } },
    [
      "envFile points to .env, which links to /etc/a, outside the project, so it is not read: use the absolute path of that file",
    ],
  ],
  [
    "cannot be read",
    "hidden.env",
    unreadable(denied),
    ["envFile cannot be read: EACCES: permission denied, open '/repo/hidden.env'"],
  ],
  [
    "cannot be read, with a value in its name",
    "${NAME}.env",
    unreadable(denied),
    ["envFile cannot be read: EACCES"],
  ],
  [
    "cannot be read for an unknown reason, with a value in its name",
    "${NAME}.env",
    unreadable(new Error("hidden.env")),
    ["envFile cannot be read: it is not a file"],
  ],
  ["has a variable in its name that is not set", "${GONE}", {}, ["envFile needs ${GONE}, which is not set"]],
])("a file that %s is reported", async (_, envFile, read, problems) => {
  expect((await valuesOf(envFile, read)).problems).toEqual(
    problems.map((problem) => `value-unresolved: ${problem}`),
  );
});
