import type { Threat } from "./threat.ts";

/** What a server may try with your terminal, your files and your secrets. */
export const ofSecrets: readonly Threat[] = [
  {
    id: "S22",
    threat: "Text steers a terminal",
    defence:
      "Every line to a terminal goes through one function that spells out control, bidirectional and invisible characters.",
    shownBy: [
      {
        attack: "text that steers a terminal",
        file: "test/hostile/terminal.test.ts",
        test: "what a server, a config or a file says cannot steer a terminal or hide from its reader",
      },
    ],
  },
  {
    id: "S24",
    threat: "A name reaches every object",
    defence: "Parsed objects have no prototype, and names are looked up in maps.",
    shownBy: [
      {
        attack: "a key that every object has",
        file: "test/hostile/names.test.ts",
        test: "no name of a server or a tool becomes a path, or a property of every object",
      },
      {
        attack: "the same in a file",
        file: "src/documents/parse-json.test.ts",
        test: "with a meaning in JavaScript are keys like any other",
      },
    ],
  },
  {
    id: "S25",
    threat: "A name is a path",
    defence: "Files are named by hashes, never by what a server or a tool is called.",
    shownBy: [
      {
        attack: "a name that is a path",
        file: "test/hostile/names.test.ts",
        test: "no name of a server or a tool becomes a path, or a property of every object",
      },
    ],
  },
  {
    id: "S26",
    threat: "Credentials are read from the disk",
    defence:
      "AES-256-GCM, under a key of the system's keychain where there is one; folders 0700, files 0600.",
    shownBy: [
      {
        attack: "a vault that others read",
        file: "src/state/vault.test.ts",
        test: "shows nobody else anything: folder 0700, files 0600, neither keys nor values in them",
      },
    ],
  },
  {
    id: "S27",
    threat: "A secret shows up in output, errors, logs or files",
    defence:
      "Resolved values are masked wherever text leaves the program, the causes of errors and what servers repeat included.",
    shownBy: [
      {
        attack: "a secret in what is printed or kept",
        file: "test/hostile/secrets.test.ts",
        test: "no secret is in what a command prints or keeps, however its server repeats it",
      },
      {
        attack: "in a program's results, errors, causes, events and files",
        file: "test/flow/canary.test.ts",
        test: "of a program: results, errors, causes, events, log, snapshots, server logs, files, command lines",
      },
      {
        attack: "a token that a server repeats",
        file: "test/flow/canary.test.ts",
        test: "tokens and a client's secret, which the servers repeat, come out nowhere either",
      },
    ],
  },
  {
    id: "S38",
    threat: "One account sees what is another's",
    defence: "What a server offers is kept by account.",
    shownBy: [
      {
        attack: "one account is shown what another is offered",
        file: "test/auth/sign-in.test.ts",
        test: "of another account has that account's tools, whatever the usual one is offered, or if there is none",
      },
    ],
  },
  {
    id: "S40",
    threat: "Another process holds a lock, or leaves one",
    defence: "Locks name their process, are taken over from dead ones, and are waited for with a limit.",
    shownBy: [
      {
        attack: "a lock that was left behind, or names a file elsewhere",
        file: "src/documents/locked-update.test.ts",
        test: "%s is taken over, and nothing of it is left",
      },
      {
        attack: "a lock that is held for ever",
        file: "src/documents/locked-update.test.ts",
        test: "by a live process is respected, and the error names the process",
      },
    ],
  },
];
