import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

/** The attacks that a host of tools has to stand, by the number they have in our catalogue of them, and the tests that show it. */
const SHOWN: readonly (readonly [item: string, attack: string, file: string, test: string])[] = [
  [
    "S1",
    "a repository starts a program",
    "test/hostile/configs.test.ts",
    "nothing that a project's configs name is started",
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
    "every single change of an approved launch asks again",
  ],
  ["S3", "a project trusts itself", "test/flow/approval.test.ts", "cannot approve itself"],
  ["S3", "or speaks for the person", "test/hostile/configs.test.ts", "a person's own server keeps its name"],
  ["S3", "or switches servers", "src/discovery/discover.test.ts", "are not honoured in a project's"],
  [
    "S4",
    "a value is a command",
    "test/hostile/configs.test.ts",
    "nothing that a project's configs name is started",
  ],
  [
    "S5",
    "a variable is sent to a stranger",
    "test/flow/approval.test.ts",
    "nothing of the environment is filled in for it",
  ],
  [
    "S6",
    "a program gets the whole environment",
    "test/flow/environment-and-secrets.test.ts",
    "nothing else of the parent's",
  ],
  [
    "S6",
    "a file steers what an approved launch runs",
    "src/values/resolve.test.ts",
    "takes nothing from a file that would change what runs",
  ],
  [
    "S7",
    "a link makes us write elsewhere",
    "test/hostile/links.test.ts",
    "is not written through a link out of it",
  ],
  ["S7", "the approvals are tampered with", "src/state/approvals.test.ts", "approves nothing, and says so"],
  ["S8", "a definition instructs the model", "test/hostile/lint.test.ts", "poisoned definitions are flagged"],
  [
    "S8",
    "an untrusted server offers what it likes",
    "src/policy/gate.test.ts",
    "offers nothing without an explicit allow list",
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
    "has the changed and the new ones held back",
  ],
  [
    "S9",
    "or its pin is tampered with",
    "test/flow/tool-pins.test.ts",
    "a file that was tampered with holds everything back",
  ],
  ["S10", "two tools share a name", "test/durability/tool-names.test.ts", "no two tools have one name"],
  [
    "S10",
    "a definition speaks of another's tool",
    "test/flow/tool-pins.test.ts",
    "names another server's tool is told of",
  ],
  [
    "S11",
    "a stranger's word that a tool only reads",
    "src/policy/gate.test.ts",
    "is not asked for, where its server is trusted",
  ],
  [
    "S11",
    "a call that needs a person is made without",
    "test/flow/tool-gate.test.ts",
    "is marked, fails at once where there is nobody",
  ],
  ["S20", "a schema that costs too much", "src/bridge/quarantine.test.ts", "test.each"],
  [
    "S20",
    "a pattern that never ends",
    "test/flow/hostile-tools.test.ts",
    "with a pattern that takes others for ever",
  ],
  ["S21", "an answer without end", "test/flow/http-limits.test.ts", "a body that never ends is given up"],
  [
    "S21",
    "an answer that fills the model",
    "test/flow/hostile-tools.test.ts",
    "that is huge reaches the model as a preview",
  ],
  [
    "S22",
    "text that steers a terminal",
    "test/hostile/terminal.test.ts",
    "cannot steer a terminal or hide from its reader",
  ],
  ["S23", "text that only a model sees", "test/flow/hostile-tools.test.ts", "cannot hide text from a reader"],
  ["S24", "a key that every object has", "test/hostile/names.test.ts", "or a property of every object"],
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
    "no name of a server or a tool becomes a path",
  ],
  [
    "S27",
    "a secret in what is printed or kept",
    "test/hostile/secrets.test.ts",
    "no secret is in what a command prints or keeps",
  ],
  [
    "S34",
    "a server that asks without end",
    "test/flow/questions.test.ts",
    "is refused when it comes too often",
  ],
  [
    "S34",
    "a server that asks where nobody answers",
    "test/flow/questions.test.ts",
    "is told of what somebody is there to answer",
  ],
  [
    "S34",
    "a server that asks in another's name",
    "test/flow/questions.test.ts",
    "and is named as configured",
  ],
  [
    "S35",
    "an address in an answer is visited",
    "test/flow/hostile-tools.test.ts",
    "with links makes nobody follow them",
  ],
];
const ITEMS = "S1 S2 S3 S4 S5 S6 S7 S8 S9 S10 S11 S20 S21 S22 S23 S24 S25 S27 S34 S35".split(" ");

test("every attack has a test that shows its defence", async () => {
  expect([...new Set(SHOWN.map(([item]) => item))]).toEqual(ITEMS);
  const root = new URL("../../", import.meta.url);
  for (const [item, attack, file, title] of SHOWN) {
    const text = await readFile(fileURLToPath(new URL(file, root)), "utf8");
    expect(text.includes(title), `${item} ${attack}: "${title}" is not in ${file}`).toBe(true);
  }
});
