import type { Threat } from "./threat.ts";

/** Attacks by config files of a repository. */
export const ofConfigFiles: readonly Threat[] = [
  {
    id: "P8",
    threat: "`plugboard/compat` loads a repository's config, which then runs commands",
    defence:
      "Loaded servers and copies of them keep their source, tier and reader. ToolLoop's values are plain text.",
    shownBy: [
      {
        attack: "the manager runs it",
        file: "test/flow/compat-sources.test.ts",
        test: "is not run by the manager without approval: %s",
        failsBefore: "505e8c0",
      },
      {
        attack: "a host runs it",
        file: "test/flow/compat-sources.test.ts",
        test: "is not run by a host without approval: %s",
        failsBefore: "505e8c0",
      },
      {
        attack: "values are commands",
        file: "test/flow/compat-sources.test.ts",
        test: "runs once plugboard trust approved it, with its values as plain text",
        failsBefore: "505e8c0",
      },
      {
        attack: "part of it is filled in",
        file: "test/flow/compat-copies.test.ts",
        test: "fills in no variable: %s",
        failsBefore: "505e8c0",
      },
      {
        attack: "a text in it is run",
        file: "test/flow/compat-copies.test.ts",
        test: "runs no command: %s",
        failsBefore: "505e8c0",
      },
      {
        attack: "a server is rebuilt from it",
        file: "test/flow/compat-copies.test.ts",
        test: "needs approval: %s",
        failsBefore: "505e8c0",
      },
      {
        attack: "its bundle allows tools of another server",
        file: "test/flow/compat-bundles.test.ts",
        test: "a repository's bundle cannot open an untrusted server of the program: %s",
        failsBefore: "505e8c0",
      },
      {
        attack: "a write through a link out of the project",
        file: "src/compat/config-values.test.ts",
        test: "writes nothing through a link out of the project: %s",
        failsBefore: "505e8c0",
      },
    ],
  },
  {
    id: "P9",
    threat: "An `envFile` that changes after the approval chooses what runs",
    defence:
      "An approval records the variable names in the file. Plugboard compares them with the names that it reads for a launch. A new name, or a file that appears later or was not shown, requires approval again.",
    shownBy: [
      {
        attack: "a variable is added",
        file: "test/flow/approval-env-file.test.ts",
        test: "asks again before it sets %s, which it did not set before",
        failsBefore: "505e8c0",
      },
      {
        attack: "the file appears later",
        file: "test/flow/approval-env-file.test.ts",
        test: "asks again when the file first appears, even without variables",
        failsBefore: "505e8c0",
      },
      {
        attack: "it changes between two reads",
        file: "test/flow/approval-env-file.test.ts",
        test: "is what the program gets, however it changes meanwhile: after look %i",
        failsBefore: "505e8c0",
      },
      {
        attack: "it is a pipe, a device or huge",
        file: "test/flow/approval-env-file.test.ts",
        test: "sets nothing, delays nothing, and asks once it can be read: %s",
        failsBefore: "505e8c0",
      },
      {
        attack: "it is a token file",
        file: "test/flow/approval-env-file.test.ts",
        test: "is not shown or kept: %s",
        failsBefore: "505e8c0",
      },
      {
        attack: "it changes between review and approval",
        file: "test/surfaces/cli-trust.test.ts",
        test: "approves only the variables of the envFile that were shown with the hash",
        failsBefore: "505e8c0",
      },
      {
        attack: "it becomes a link",
        file: "test/flow/approval-env-file.test.ts",
        test: "the envFile of a project is not read once it is a link that leads out of the project",
        failsBefore: "505e8c0",
      },
      {
        attack: "the server is moved or imported to your own file",
        file: "test/flow/working-folder-values.test.ts",
        test: "a server with the project's env file does not become the user's own, and no secret goes to a project's file",
        failsBefore: "505e8c0",
      },
      {
        attack: "a value changes which code runs",
        file: "test/flow/approval-env-file.test.ts",
        test: "never sets %s, which chooses what runs and may change later",
        failsBefore: "505e8c0",
      },
      {
        attack: "its path hides it from `trust`",
        file: "test/flow/approval-env-file.test.ts",
        test: "the variables of such a file are approved only after they were shown",
        failsBefore: "74e4486",
      },
    ],
  },
  {
    id: "P10",
    threat: "A project enables what you disabled",
    defence: "Only your settings and an administrator's can enable. A project's settings can only disable.",
    shownBy: [
      {
        attack: "a plugin",
        file: "test/hostile/switches.test.ts",
        test: "a project cannot start a plugin that the user disabled, with %s",
        failsBefore: "505e8c0",
      },
      {
        attack: "a server of another tool",
        file: "test/hostile/switches.test.ts",
        test: "a project cannot switch on a server that the user switched off: %s",
      },
    ],
  },
  {
    id: "P12",
    threat: "You approve a launch without seeing what it runs",
    defence:
      "`trust` lists every command, file, stored secret and variable of a launch, and marks packages and images without a fixed version.",
    shownBy: [
      {
        attack: "variables that are handed over as they are",
        file: "test/surfaces/cli-trust.test.ts",
        test: "lists the variables that are handed over as they are: %j",
        failsBefore: "9d25cc3",
      },
      {
        attack: "a command in a header",
        file: "test/surfaces/cli-trust.test.ts",
        test: "commands in headers and the headers helper",
        failsBefore: "505e8c0",
      },
      {
        attack: "a command in a variable, a package without a version",
        file: "test/surfaces/cli-trust.test.ts",
        test: "commands in env, the program inside a wrapper, and unpinned packages",
        failsBefore: "505e8c0",
      },
      {
        attack: "line breaks and spaces imitate another screen",
        file: "test/surfaces/cli-trust.test.ts",
        test: "with %s",
        failsBefore: "505e8c0",
      },
      {
        attack: "the name of a variable that is not set yet",
        file: "test/flow/secret-values.test.ts",
        test: "that is the name of a variable is listed for approval, even if the variable is not set yet",
        failsBefore: "74e4486",
      },
      {
        attack: "a program that is shown as missing",
        file: "test/surfaces/cli-trust.test.ts",
        test: "a program whose path could be on another machine",
        failsBefore: "74e4486",
      },
    ],
  },
  {
    id: "P18",
    threat: "A huge config file uses all memory",
    defence: "Plugboard checks type and size of a file before it opens it, and reads no more than the limit.",
    shownBy: [
      {
        attack: "huge config files",
        file: "test/hostile/big-files.test.ts",
        test: "huge config files are refused by their size and take no memory",
        failsBefore: "505e8c0",
      },
      {
        attack: "a huge value file",
        file: "test/hostile/big-files.test.ts",
        test: "an envFile that is %s is reported and left out",
        failsBefore: "505e8c0",
      },
      {
        attack: "a file that reports a wrong size",
        file: "src/platform/node/files.test.ts",
        test: "a file that contains more than its reported size is read up to the limit",
        failsBefore: "505e8c0",
      },
    ],
  },
  {
    id: "P26",
    threat: "A repository's config files block the process before anything is approved",
    defence:
      "What a project's files may hold is bounded per file and in all, counted before it is parsed, and read in turns. How deep values are nested and how much of a command line is examined are limited. Texts are searched and edited in linear time.",
    shownBy: [
      {
        attack: "content that is slow to parse, in every format",
        file: "test/hostile/big-files.test.ts",
        test: "a project's file does not keep the process busy with %s",
        failsBefore: "505e8c0",
      },
      {
        attack: "very many separators in YAML",
        file: "src/documents/parse-yaml.lazy.test.ts",
        test: "with very many %s is rejected before it is parsed",
        failsBefore: "505e8c0",
      },
      {
        attack: "very many values",
        file: "src/discovery/limits.test.ts",
        test: "a file with too many values is ignored, and the others are read",
        failsBefore: "505e8c0",
      },
      {
        attack: "very many servers",
        file: "src/discovery/limits.test.ts",
        test: "only the first 2,000 servers are read, regardless of the tool",
        failsBefore: "505e8c0",
      },
      {
        attack: "very long texts",
        file: "test/hostile/big-files.test.ts",
        test: "a server of a project is ignored because of its length: %s",
        failsBefore: "9d25cc3",
      },
      {
        attack: "scripts",
        file: "test/hostile/big-files.test.ts",
        test: "scripts of a project that take long to read are ignored",
        failsBefore: "9d25cc3",
      },
      {
        attack: "a bytes value in YAML",
        file: "src/documents/parse-yaml.lazy.test.ts",
        test: "bytes are refused where YAML 1.1 has them",
        failsBefore: "9d25cc3",
      },
      {
        attack: "an `envFile` with very many names",
        file: "src/values/env-file.test.ts",
        test: "a text with more than %s is not an env file",
        failsBefore: "9d25cc3",
      },
      {
        attack: "very many programs to look for",
        file: "test/hostile/big-files.test.ts",
        test: "doctor looks for the programs of very many servers in turns",
        failsBefore: "9d25cc3",
      },
      {
        attack: "very many problems",
        file: "src/discovery/limits.test.ts",
        test: "only the first 100 problems are reported",
        failsBefore: "505e8c0",
      },
      {
        attack: "a lock file of many megabytes, or with another owner",
        file: "src/documents/foreign-lock.test.ts",
        test: "delays a write for a few seconds at most: it %s",
        failsBefore: "505e8c0",
      },
      {
        attack: "a link in place of a lock",
        file: "src/documents/foreign-lock.test.ts",
        test: "is removed if it is a link to %s, and nothing is written through it",
        failsBefore: "505e8c0",
      },
      {
        attack: "a command line of very many words",
        file: "src/operations/approvals/unpinned-packages.test.ts",
        test: "is checked in part, which is reported: %s",
      },
      {
        attack: "keys of thousands of parts in TOML",
        file: "src/documents/parse-toml.lazy.test.ts",
        test: "%s is a problem with its place",
        failsBefore: "9d25cc3",
      },
      {
        attack: "comments and blanks in a file that is edited",
        file: "src/documents/edit-json.test.ts",
        test: "is edited in linear time: %s",
        failsBefore: "74e4486",
      },
      {
        attack: "blanks before a member that is removed",
        file: "src/documents/edit-json.test.ts",
        test: "has a member removed in linear time, however many blanks there are",
        failsBefore: "74e4486",
      },
      {
        attack: "a table of very many keys that is edited",
        file: "src/documents/edit-toml.lazy.test.ts",
        test: "very many keys are removed in linear time",
        failsBefore: "74e4486",
      },
      {
        attack: "packages with very long versions",
        file: "src/operations/approvals/unpinned-packages.test.ts",
        test: "packages with very long versions are checked in linear time",
        failsBefore: "74e4486",
      },
      {
        attack: "very many openings of placeholders",
        file: "test/hostile/big-files.test.ts",
        test: "a server with very many openings of placeholders can be inspected and explained: %s",
        failsBefore: "74e4486",
      },
      {
        attack: "the same in a server that is imported",
        file: "src/operations/native-files/rebase-paths.test.ts",
        test: "an entry with very many openings of placeholders is carried in linear time",
        failsBefore: "74e4486",
      },
    ],
  },
];
