import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { missingTests } from "../seeds/missing-tests.ts";

/** The attacks that a host of tools has to stand, by the number they have in our catalogue of them, and the tests that show it. */
const SHOWN: readonly (readonly [item: string, attack: string, file: string, test: string])[] = [
  [
    "S1",
    "a repository starts a program",
    "test/hostile/configs.test.ts",
    "nothing that a project's configs name is started, connected to, opened or filled in",
  ],
  [
    "S1",
    "by whatever the host is asked",
    "test/flow/approval.test.ts",
    "is not started by anything the host can be asked",
  ],
  [
    "S2",
    "a launch is swapped after its approval",
    "test/hostile/mutations.test.ts",
    "every single change of an approved launch asks again: %s",
  ],
  ["S3", "a project trusts itself", "test/flow/approval.test.ts", "cannot approve itself"],
  [
    "S3",
    "or speaks for the person",
    "test/hostile/configs.test.ts",
    "a person's own server keeps its name, and is the one that is started",
  ],
  ["S3", "or switches servers", "src/discovery/discover.test.ts", "are not honoured in a project's"],
  [
    "S4",
    "a value is a command",
    "test/hostile/configs.test.ts",
    "nothing that a project's configs name is started, connected to, opened or filled in",
  ],
  [
    "S5",
    "a variable is sent to a stranger",
    "test/flow/approval.test.ts",
    "is not connected to, and nothing of the environment is filled in for it",
  ],
  [
    "S6",
    "a program gets the whole environment",
    "test/flow/environment-and-secrets.test.ts",
    "holds what it declares and what every program needs, nothing else of the parent's",
  ],
  [
    "S6",
    "a file steers what an approved launch runs",
    "src/values/resolve.test.ts",
    "of a project takes nothing from a file that would change what runs: the file was not approved",
  ],
  [
    "S7",
    "a link makes us write elsewhere",
    "test/hostile/links.test.ts",
    "what is added to a project is not written through a link out of it: %s",
  ],
  [
    "S7",
    "the approvals are tampered with",
    "src/state/approvals.test.ts",
    "because it %s approves nothing, and says so",
  ],
  [
    "S8",
    "a definition instructs the model",
    "test/hostile/lint.test.ts",
    "poisoned definitions are flagged, and honest ones are not",
  ],
  [
    "S8",
    "an untrusted server offers what it likes",
    "src/policy/gate.test.ts",
    "offers nothing without an explicit allow list, and that is known before anything connects",
  ],
  [
    "S9",
    "a tool changes after it was looked at",
    "test/hostile/mutations.test.ts",
    "every single change of a pinned tool is noticed",
  ],
  [
    "S9",
    "and is used all the same",
    "test/flow/tool-pins.test.ts",
    "has the changed and the new ones held back until a person accepts them",
  ],
  [
    "S9",
    "or its pin is tampered with",
    "test/flow/tool-pins.test.ts",
    "is remembered between runs, and a file that was tampered with holds everything back",
  ],
  [
    "S10",
    "two tools share a name",
    "test/durability/tool-names.test.ts",
    "no two tools have one name, and each name leads back to its tool: %s",
  ],
  [
    "S10",
    "a definition speaks of another's tool",
    "test/flow/tool-pins.test.ts",
    "a definition that names another server's tool is told of, one that names its sibling is not",
  ],
  [
    "S11",
    "a stranger's word that a tool only reads",
    "src/policy/gate.test.ts",
    "a tool that says it only reads is not asked for, where its server is trusted",
  ],
  [
    "S11",
    "a call that needs a person is made without",
    "test/flow/tool-gate.test.ts",
    "is marked, fails at once where there is nobody, and is made when they agree",
  ],
  ["S20", "a schema that costs too much", "src/bridge/quarantine.test.ts", "%s"],
  [
    "S20",
    "a pattern that never ends",
    "test/flow/hostile-tools.test.ts",
    "with a pattern that takes others for ever is checked at once",
  ],
  ["S20", "a check that lasts for minutes", "src/bridge/check-value.test.ts", "%s"],
  [
    "S20",
    "references that are followed over and over",
    "src/bridge/check-value.test.ts",
    "references by %s, over and over",
  ],
  [
    "S20",
    "an answer that is compared without end",
    "src/bridge/tool-result.test.ts",
    "is not looked for without end: %s",
  ],
  [
    "S21",
    "an answer without end",
    "test/flow/http-limits.test.ts",
    "a body that never ends is given up once it has grown too large",
  ],
  [
    "S21",
    "an answer that fills the model",
    "test/flow/hostile-tools.test.ts",
    "that is huge reaches the model as a preview, and a file of its owner's",
  ],
  [
    "S22",
    "text that steers a terminal",
    "test/hostile/terminal.test.ts",
    "what a server, a config or a file says cannot steer a terminal or hide from its reader",
  ],
  [
    "S23",
    "text that only a model sees",
    "test/flow/hostile-tools.test.ts",
    "cannot hide text from a reader, nor run on for ever",
  ],
  [
    "S23",
    "text that only a model sees, in a schema",
    "test/flow/hostile-tools.test.ts",
    "cannot hide text in the words of its schemas, whose values stay as they are",
  ],
  [
    "S24",
    "a key that every object has",
    "test/hostile/names.test.ts",
    "no name of a server or a tool becomes a path, or a property of every object",
  ],
  [
    "S24",
    "the same in a file",
    "src/documents/parse-json.test.ts",
    "with a meaning in JavaScript are keys like any other",
  ],
  [
    "S25",
    "a name that is a path",
    "test/hostile/names.test.ts",
    "no name of a server or a tool becomes a path, or a property of every object",
  ],
  [
    "S27",
    "a secret in what is printed or kept",
    "test/hostile/secrets.test.ts",
    "no secret is in what a command prints or keeps, however its server repeats it",
  ],
  [
    "S34",
    "a server that asks without end",
    "test/flow/questions.test.ts",
    "is refused when it comes too often, however often it was answered before",
  ],
  [
    "S34",
    "a server that asks where nobody answers",
    "test/flow/questions.test.ts",
    "is told of what somebody is there to answer, and of nothing else",
  ],
  [
    "S34",
    "a server that asks in another's name",
    "test/flow/questions.test.ts",
    "that asks a person gets the answer with its defaults, and is named as configured",
  ],
  [
    "S35",
    "an address in an answer is visited",
    "test/flow/hostile-tools.test.ts",
    "with links makes nobody follow them",
  ],
];
const ITEMS = "S1 S2 S3 S4 S5 S6 S7 S8 S9 S10 S11 S20 S21 S22 S23 S24 S25 S27 S34 S35".split(" ");

test("every attack has a test that shows its defence", () => {
  expect([...new Set(SHOWN.map(([item]) => item))]).toEqual(ITEMS);
  const root = new URL("../../", import.meta.url);
  const rows = SHOWN.map(([item, attack, file, title]) => ({
    id: `${item} ${attack}`,
    shownBy: { file, test: title },
  }));
  expect(missingTests(rows, (path) => readFileSync(fileURLToPath(new URL(path, root)), "utf8"))).toEqual([]);
});
