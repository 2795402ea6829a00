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
  [
    "S14",
    "a URL of the sign-in leads inside",
    "src/auth/guarded-fetch.test.ts",
    "connects to nothing at https://%s",
  ],
  ["S14", "whichever URL it is", "src/auth/plan-sign-in.test.ts", "%s"],
  [
    "S14",
    "by a name that changes its mind",
    "src/auth/guarded-fetch.test.ts",
    "does not connect to a name that stands for an address that is not allowed",
  ],
  [
    "S14",
    "by a redirect",
    "src/auth/guarded-fetch.test.ts",
    "follows no redirect to another place, and none of a post",
  ],
  [
    "S14",
    "through a proxy",
    "src/auth/guarded-proxy.test.ts",
    "is not sent to the inside for a URL that a server names: %s",
  ],
  [
    "S15",
    "an answer of another issuer",
    "test/auth/attacks.test.ts",
    "of another issuer shows nothing of what it says",
  ],
  ["S16", "PKCE is taken away", "test/auth/attacks.test.ts", "%s"],
  ["S16", "by a project", "test/auth/attacks.test.ts", "a project cannot allow that, approved or not"],
  ["S17", "a forged callback", "test/auth/attacks.test.ts", "%s is turned away and ends nothing"],
  [
    "S17",
    "at another place, by another way",
    "src/auth/callback.test.ts",
    "turns away %s, and still waits for the right one",
  ],
  [
    "S17",
    "on a port that somebody holds",
    "test/auth/sign-in.test.ts",
    "a callback port that is taken is an error, not a wait",
  ],
  [
    "S18",
    "an address that is a command",
    "src/platform/node/browser.test.ts",
    "gets %j as one word, and no shell sees it",
  ],
  ["S18", "or no page", "src/platform/node/browser.test.ts", "is not opened for %s"],
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
  [
    "A1",
    "metadata at both places, in order",
    "src/auth/plan-sign-in.test.ts",
    "is found from the server's own metadata",
  ],
  ["A2", "metadata of another issuer", "test/auth/attacks.test.ts", "%s"],
  ["A3", "no PKCE is announced", "test/auth/attacks.test.ts", "%s"],
  [
    "A4",
    "a state or an issuer that is not ours",
    "test/auth/attacks.test.ts",
    "%s is turned away and ends nothing",
  ],
  ["A5", "the metadata of another resource", "test/auth/attacks.test.ts", "%s"],
  [
    "A6",
    "a server that moves to another issuer",
    "test/auth/sign-in.test.ts",
    "is not used with another authorization server, should the server move to one",
  ],
  [
    "A7",
    "a client that cannot register itself",
    "test/auth/clients.test.ts",
    "that nobody but a person can register is asked for, with what to do",
  ],
  [
    "A8",
    "rights asked for again and again",
    "test/auth/sign-in.test.ts",
    "asks for more rights when a call takes more, all together, and only once for the same",
  ],
  [
    "A9",
    "a token for another server",
    "test/auth/clients.test.ts",
    "does not go to another server, whatever the config says",
  ],
  ["A10", "a page that is none", "src/platform/node/browser.test.ts", "is not opened for %s"],
  ["A11", "addresses on the inside", "src/auth/guarded-fetch.test.ts", "connects to nothing at https://%s"],
  [
    "A12",
    "a vault that others read",
    "src/state/vault.test.ts",
    "shows nobody else anything: folder 0700, files 0600, neither keys nor values in them",
  ],
  [
    "A12",
    "a callback that counts twice",
    "src/auth/callback.test.ts",
    "counts once, and its page waits for what comes of it",
  ],
];
/** S12, S13 and S19 are a gateway's. */
const ITEMS =
  "S1 S2 S3 S4 S5 S6 S7 S8 S9 S10 S11 S14 S15 S16 S17 S18 S20 S21 S22 S23 S24 S25 S27 S34 S35 A1 A2 A3 A4 A5 A6 A7 A8 A9 A10 A11 A12".split(
    " ",
  );

test("every attack has a test that shows its defence", () => {
  expect([...new Set(SHOWN.map(([item]) => item))]).toEqual(ITEMS);
  const root = new URL("../../", import.meta.url);
  const rows = SHOWN.map(([item, attack, file, title]) => ({
    id: `${item} ${attack}`,
    shownBy: { file, test: title },
  }));
  expect(missingTests(rows, (path) => readFileSync(fileURLToPath(new URL(path, root)), "utf8"))).toEqual([]);
});
