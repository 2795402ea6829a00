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
        attack: "part of it is expanded",
        file: "test/flow/compat-copies.test.ts",
        test: "expands no variable: %s",
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
        test: "a repository's bundle cannot allow tools of the program's untrusted server: %s",
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
    threat: "An `envFile` that changes after the approval decides what runs",
    defence:
      "An approval records the variable names in the file. Plugboard compares them with the names that it reads for a launch. A new name, or a file that appears later or was not shown, requires approval again.",
    shownBy: [
      {
        attack: "a variable is added",
        file: "test/flow/approval-env-file.test.ts",
        test: "requires approval again before it sets %s, which it did not set before",
        failsBefore: "505e8c0",
      },
      {
        attack: "the file appears later",
        file: "test/flow/approval-env-file.test.ts",
        test: "requires approval again when the file first appears, even without variables",
        failsBefore: "505e8c0",
      },
      {
        attack: "it changes between two reads",
        file: "test/flow/approval-env-file.test.ts",
        test: "reaches the program as approved, even if it changes after read %i",
        failsBefore: "505e8c0",
      },
      {
        attack: "it is a pipe, a device or huge",
        file: "test/flow/approval-env-file.test.ts",
        test: "sets nothing, causes no delay, and requires approval once it can be read: %s",
        failsBefore: "505e8c0",
      },
      {
        attack: "it is a token file",
        file: "test/flow/approval-env-file.test.ts",
        test: "is neither shown nor stored: %s",
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
        test: "a project's envFile is not read if it becomes a link out of the project",
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
        test: "never sets %s, which decides what runs and may change later",
        failsBefore: "505e8c0",
      },
      {
        attack: "its path hides it from `trust`",
        file: "test/flow/approval-env-file.test.ts",
        test: "the variables of a file on another machine are approved only after they are shown",
        failsBefore: "74e4486",
      },
      {
        attack: "a variable is added, and you then edit another field",
        file: "test/flow/approval-env-file.test.ts",
        test: "requires approval again for a variable that was added before another field was edited",
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
        test: "a project cannot enable a server that the user disabled: %s",
      },
    ],
  },
  {
    id: "P12",
    threat: "You approve a launch without seeing what it runs",
    defence:
      "`trust` lists every command, file, stored secret and variable of a launch, and marks packages and images without a fixed version. The dashboard refuses approval if it cannot show what runs.",
    shownBy: [
      {
        attack: "the dashboard masks a part of what it runs as a secret",
        file: "test/dashboard/documents.test.ts",
        test: "a launch cannot be approved if the page masks a part of what it runs: %j",
        failsBefore: "20958410",
      },
      {
        attack: "variables that are passed unchanged",
        file: "test/surfaces/cli-trust.test.ts",
        test: "lists the variables that are passed unchanged: %j",
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
        test: "huge config files are refused because of their size, without using memory",
        failsBefore: "505e8c0",
      },
      {
        attack: "a huge value file",
        file: "test/hostile/big-files.test.ts",
        test: "an envFile that is %s is reported and ignored",
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
      "The content of a project's files is limited per file and in total, counted before it is parsed, and read in slices. The depth of values and the examined length of a command line are limited. Texts are searched and edited in linear time.",
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
        test: "with too many %s is rejected before it is parsed",
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
        test: "bytes are refused in a document of YAML 1.1",
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
        test: "doctor looks for the programs of thousands of servers without blocking other work",
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
        test: "%s is a problem with its position",
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
        test: "many keys are removed in linear time",
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
        test: "a server with many unclosed placeholders can be inspected and explained: %s",
        failsBefore: "74e4486",
      },
      {
        attack: "the same in a server that is imported",
        file: "src/operations/native-files/rebase-paths.test.ts",
        test: "an entry with many unclosed placeholders is carried over in linear time",
        failsBefore: "74e4486",
      },
      {
        attack: "a link that leads back to itself",
        file: "src/platform/node/files.test.ts",
        test: "links to a missing file are followed, unless they lead back to themselves",
        failsBefore: "a7217ad5",
      },
      {
        attack: "a file that is too large to be read is edited",
        file: "test/hostile/big-files.test.ts",
        test: "a project's file that is too large to be read is not edited either: %s",
        failsBefore: "a7217ad5",
      },
    ],
  },
  {
    id: "P36",
    threat:
      "A server or a tool has the name of an option, such as `--trust-project`, or of a command, or a value that names a file",
    defence:
      "The name of an option is never completed or suggested as part of a command, and other names are quoted. The example of a tool passes its values as text, so that none of them reads a file.",
    shownBy: [
      {
        attack: "Tab completes the option, and Enter runs the repository's servers",
        file: "test/surfaces/cli-completion.test.ts",
        test: "never include a name that is an option",
      },
      {
        attack: "a suggested command contains the option",
        file: "src/surfaces/shared/shell-word.test.ts",
        test: "the name %j becomes a placeholder",
      },
      {
        attack: "the command suggested after `add` contains the option",
        file: "test/surfaces/cli-registry.test.ts",
        test: "suggests no command that contains an option instead of a name",
        failsBefore: "b2fb9a65",
      },
      {
        attack: "the example of a tool sends a file of yours",
        file: "test/surfaces/cli-tool-page.test.ts",
        test: "the example never names a file or an option that the server chose",
      },
    ],
  },
];
