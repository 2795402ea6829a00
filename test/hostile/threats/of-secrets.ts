import type { Threat } from "./threat.ts";

/** Attacks by a server on your terminal, files and secrets. */
export const ofSecrets: readonly Threat[] = [
  {
    id: "S22",
    threat: "Text controls a terminal",
    defence:
      "All terminal output passes one function that escapes control, bidirectional and invisible characters.",
    shownBy: [
      {
        attack: "text that controls a terminal",
        file: "test/hostile/terminal.test.ts",
        test: "text from a server, a config or a file can neither control a terminal nor be hidden from its reader",
      },
      {
        attack: "a server's name that a command repeats",
        file: "test/hostile/terminal.test.ts",
        test: "a server's name is escaped by every command that repeats it",
        failsBefore: "a7217ad5",
      },
      {
        attack: "a result that --select prints",
        file: "src/surfaces/shared/output/select-path.lazy.test.ts",
        test: "a terminal gets selected values with visible escapes",
        failsBefore: "e9fb46e",
      },
    ],
  },
  {
    id: "S24",
    threat: "A name changes the prototype of all objects",
    defence: "Parsed objects have no prototype, and names are keys of maps.",
    shownBy: [
      {
        attack: "a key such as `__proto__`",
        file: "test/hostile/names.test.ts",
        test: "the name of a server or a tool never becomes a path or a property of every object",
      },
      {
        attack: "such a key in a file",
        file: "src/documents/parse-json.test.ts",
        test: "such as __proto__ are ordinary keys",
      },
    ],
  },
  {
    id: "S25",
    threat: "A name is used as a path",
    defence: "File names are hashes, never server or tool names.",
    shownBy: [
      {
        attack: "a name that is a path",
        file: "test/hostile/names.test.ts",
        test: "the name of a server or a tool never becomes a path or a property of every object",
      },
    ],
  },
  {
    id: "S26",
    threat: "Credentials are read from the disk",
    defence:
      "AES-256-GCM with a key in the system's keychain, if there is one. Folders have mode 0700, files 0600.",
    shownBy: [
      {
        attack: "other users read the vault",
        file: "src/state/vault.test.ts",
        test: "reveals nothing to others: folder 0700, files 0600, no keys or values in plain text",
      },
    ],
  },
  {
    id: "S27",
    threat: "A secret appears in output, errors, logs or files",
    defence:
      "Resolved values are masked in all text that leaves the program, including the causes of errors and text that servers repeat.",
    shownBy: [
      {
        attack: "a secret in output or saved files",
        file: "test/hostile/secrets.test.ts",
        test: "commands neither print nor store a secret, however its server repeats it",
      },
      {
        attack: "in a program's results, errors, causes, events and files",
        file: "test/flow/canary.test.ts",
        test: "in a program: results, errors, causes, events, log, snapshots, server logs, files, command lines",
      },
      {
        attack: "a token that a server repeats",
        file: "test/flow/canary.test.ts",
        test: "tokens and a client secret that servers repeat never appear either",
      },
      {
        attack: "in questions, progress and problems",
        file: "test/hostile/repeated-secrets.test.ts",
        test: "a secret in questions, progress and problems is masked, for an answer that %s",
        failsBefore: "9d25cc3",
      },
      {
        attack: "in logs, progress, questions and errors for the gateway's clients",
        file: "test/hostile/gateway-secrets.test.ts",
        test: "a %s client over %s sees no secret that a server repeats outside of its results",
        failsBefore: "e9fb46e",
      },
      {
        attack: "as a key in an error's data",
        file: "src/model/secrets/redactor.test.ts",
        test: "a secret is masked as a key of a value, too",
        failsBefore: "e9fb46e",
      },
      {
        attack: "in an approval",
        file: "test/hostile/secrets.test.ts",
        test: "an approval of %s stores no env or header value, wherever the entry has it",
        failsBefore: "74e4486",
      },
      {
        attack: "the API key of your model",
        file: "test/chat/model-key.test.ts",
        test: "the key is not shown if the API repeats it %s",
        failsBefore: "74e4486",
      },
      {
        attack: "in a connection string or in JSON",
        file: "src/model/secrets/redactor.test.ts",
        test: "%s are masked",
        failsBefore: "74e4486",
      },
    ],
  },
  {
    id: "S38",
    threat: "One account sees another account's tools",
    defence: "A server's lists are stored per account.",
    shownBy: [
      {
        attack: "one account sees another account's tools",
        file: "test/auth/sign-in.test.ts",
        test: "of another account has that account's tools, regardless of the current account",
      },
    ],
  },
  {
    id: "S40",
    threat: "Another process holds a lock, or leaves one behind",
    defence:
      "Locks name their process. Plugboard takes over locks of dead processes, and waits for others with a limit.",
    shownBy: [
      {
        attack: "a lock that was left behind, or that names another file",
        file: "src/documents/locked-update.test.ts",
        test: "%s is taken over and removed",
      },
      {
        attack: "a lock that is never released",
        file: "src/documents/locked-update.test.ts",
        test: "of a running process is respected, and the error names the process",
      },
    ],
  },
  {
    id: "P21",
    threat: "A resolved value is shown, because it is short or part of a URL, a path or an argument",
    defence:
      "Messages show the placeholder instead of the value. Known values are masked in all their encodings.",
    shownBy: [
      {
        attack: "at every position, with every length",
        file: "test/hostile/value-leaks.test.ts",
        test: "with %s characters: %s",
        failsBefore: "505e8c0",
      },
      {
        attack: "in command output",
        file: "test/hostile/value-leaks.test.ts",
        test: "no command prints a resolved value, however short, with or without --json",
        failsBefore: "505e8c0",
      },
      {
        attack: "in `explain`",
        file: "test/flow/writing-explain.test.ts",
        test: "never shows a secret, wherever it is",
        failsBefore: "505e8c0",
      },
      {
        attack: "a server repeats a secret in its name, version, instructions and definitions",
        file: "test/hostile/repeated-secrets.test.ts",
        test: "a secret that a server repeats in its facts and definitions is neither stored, printed nor passed to a model",
        failsBefore: "505e8c0",
      },
      {
        attack: "as programming languages print it",
        file: "src/model/secrets/redactor.test.ts",
        test: "a value is masked as %s prints it",
        failsBefore: "505e8c0",
      },
      {
        attack: "as a URL writes it",
        file: "src/model/secrets/redactor.test.ts",
        test: "a value is masked as a URL after %j writes it",
        failsBefore: "9d25cc3",
      },
      {
        attack: "as a key of a schema",
        file: "src/catalog/mask-catalog.test.ts",
        test: "a secret is masked in a tool's schema as %s",
        failsBefore: "505e8c0",
      },
      {
        attack: "as a value of Goose's `envs`",
        file: "test/hostile/value-leaks.test.ts",
        test: "a value that Goose's envs provide for a URL or a header is never shown, with %s characters",
        failsBefore: "74e4486",
      },
    ],
  },
  {
    id: "P22",
    threat: "The vault is damaged, or its key is lost or readable by others",
    defence:
      "Each is an error that names the file and the fix. Reading creates nothing, and a vault with entries never gets a new key.",
    shownBy: [
      {
        attack: "an entry is damaged",
        file: "src/state/vault.test.ts",
        test: "reports a damaged entry (%s) with its file, and storing it again replaces it",
        failsBefore: "505e8c0",
      },
      {
        attack: "the key is missing",
        file: "src/state/vault.test.ts",
        test: "without its key file cannot be read or written, and gets no new key",
        failsBefore: "505e8c0",
      },
      {
        attack: "others can read the key",
        file: "src/state/vault.test.ts",
        test: "is not opened if others can read its key: mode %o",
        failsBefore: "505e8c0",
      },
      {
        attack: "each of these on the command line",
        file: "test/surfaces/cli-secret.test.ts",
        test: "reports a damaged secret or a lost key with advice, and so does `doctor`",
        failsBefore: "505e8c0",
      },
    ],
  },
  {
    id: "P23",
    threat: "`import` copies secrets in plain text",
    defence:
      "`import` moves them to the vault if you agree, and refuses them without a terminal. `doctor` reports secrets in plain text in every file.",
    shownBy: [
      {
        attack: "secrets are copied without asking",
        file: "test/flow/writing-import.test.ts",
        test: "are not copied unless the caller says what to do with them",
        failsBefore: "505e8c0",
      },
      {
        attack: "secrets are copied without a terminal",
        file: "test/surfaces/cli-writing-verbs.test.ts",
        test: "refuses secrets in plain text without a terminal, and names the flags to use",
        failsBefore: "505e8c0",
      },
      {
        attack: "they stay unnoticed",
        file: "test/flow/writing-import.test.ts",
        test: "are reported wherever a file contains them, by field and position, never by value",
        failsBefore: "505e8c0",
      },
    ],
  },
  {
    id: "P24",
    threat: "A full disk leaves an entry without its approval, or the reverse",
    defence: "All new content is written to temporary files before the first file is replaced.",
    shownBy: [
      {
        attack: "the disk fills up between the two writes",
        file: "test/durability/full-disk.test.ts",
        test: "a project's server added on a full disk is both written and approved, or neither, with large %s: %s",
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
    threat: "A container and its host take each other's locks; a suspended process overwrites newer content",
    defence:
      "A lock records host, boot and PID namespace and has a heartbeat. A process checks its lock before every write.",
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
        test: "does not write after it resumes: suspended %s",
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
