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
      {
        attack: "in questions, progress and problems",
        file: "test/hostile/repeated-secrets.test.ts",
        test: "a secret in questions, progress and problems is masked, for an answer that %s",
        failsBefore: "9d25cc3",
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
  {
    id: "P21",
    threat:
      "A value that was filled in is shown, because it is short or part of a URL, a path or an argument",
    defence:
      "Messages show the placeholder where a value was filled in. Known values are masked in all their encoded forms.",
    shownBy: [
      {
        attack: "at every position, in every length",
        file: "test/hostile/value-leaks.test.ts",
        test: "with %s characters: %s",
        failsBefore: "505e8c0",
      },
      {
        attack: "in what commands print",
        file: "test/hostile/value-leaks.test.ts",
        test: "no command prints a value that was filled in, however short, with or without --json",
        failsBefore: "505e8c0",
      },
      {
        attack: "in `explain`",
        file: "test/flow/writing-explain.test.ts",
        test: "never shows a secret, wherever it stands",
        failsBefore: "505e8c0",
      },
      {
        attack: "a server repeats a secret in its definitions",
        file: "test/hostile/repeated-secrets.test.ts",
        test: "a secret that a server repeats in its definitions is neither kept nor handed to a model",
        failsBefore: "505e8c0",
      },
      {
        attack: "as programming languages print it",
        file: "src/model/secrets/redactor.test.ts",
        test: "a value is masked as %s prints it",
        failsBefore: "505e8c0",
      },
      {
        attack: "as a key of a schema",
        file: "src/catalog/mask-catalog.test.ts",
        test: "a secret is masked in a tool's schema as %s",
        failsBefore: "505e8c0",
      },
    ],
  },
  {
    id: "P22",
    threat: "The vault is damaged, or its key is lost or open to others",
    defence:
      "Each is an error that names the file and what to do. Reading creates nothing, and a vault with entries never gets a new key.",
    shownBy: [
      {
        attack: "an entry is damaged",
        file: "src/state/vault.test.ts",
        test: "an entry spoiled into %s is an error that names its file, and storing it again replaces it",
        failsBefore: "505e8c0",
      },
      {
        attack: "the key is gone",
        file: "src/state/vault.test.ts",
        test: "whose key file is gone fails to read and to write, and gets no new key",
        failsBefore: "505e8c0",
      },
      {
        attack: "others can read the key",
        file: "src/state/vault.test.ts",
        test: "is not opened with a key that others can read: mode %o",
        failsBefore: "505e8c0",
      },
      {
        attack: "all of it, on the command line",
        file: "test/surfaces/cli-secret.test.ts",
        test: "that is damaged, or whose key is gone, is an error that says what to do, also in doctor",
        failsBefore: "505e8c0",
      },
    ],
  },
  {
    id: "P23",
    threat: "`import` copies secrets in plain text",
    defence:
      "They are moved to the vault if you agree; without a terminal they are refused. `doctor` reports secrets in plain text in every file.",
    shownBy: [
      {
        attack: "secrets are copied unasked",
        file: "test/flow/writing-import.test.ts",
        test: "are not copied unless the caller says what to do with them",
        failsBefore: "505e8c0",
      },
      {
        attack: "or without a terminal",
        file: "test/surfaces/cli-writing-verbs.test.ts",
        test: "refuses secrets in plain text without a terminal, and says which flags decide",
        failsBefore: "505e8c0",
      },
      {
        attack: "they stay unnoticed",
        file: "test/flow/writing-import.test.ts",
        test: "are reported wherever a file contains them, by field and place, never by value",
        failsBefore: "505e8c0",
      },
    ],
  },
  {
    id: "P24",
    threat: "A full disk leaves an entry without its approval, or the reverse",
    defence: "Everything is written beside its file before the first file is replaced.",
    shownBy: [
      {
        attack: "a full disk between the two",
        file: "test/durability/full-disk.test.ts",
        test: "a project's server added on a full disk is written and approved, or neither, with large %s: %s",
        failsBefore: "505e8c0",
      },
      {
        attack: "while a server is enabled",
        file: "test/durability/full-disk.test.ts",
        test: "enabling a server on a full disk changes neither the list nor its entry",
        failsBefore: "505e8c0",
      },
    ],
  },
  {
    id: "P20",
    threat: "A container and its host take each other's locks; a suspended process writes over newer text",
    defence:
      "A lock names host, boot and PID namespace and has a heartbeat. A holder checks its lock before every write.",
    shownBy: [
      {
        attack: "another PID namespace",
        file: "src/documents/file-lock-processes.test.ts",
        test: "is kept while its holder runs: held %s",
        failsBefore: "505e8c0",
      },
      {
        attack: "a holder that was suspended",
        file: "src/documents/file-lock-processes.test.ts",
        test: "does not write when it resumes: suspended %s",
        failsBefore: "505e8c0",
      },
      {
        attack: "two namespaces renew a sign-in",
        file: "test/auth/renewal-race.test.ts",
        test: "a container and its host that share a home renew a sign-in once",
        failsBefore: "505e8c0",
      },
    ],
  },
];
