import type { Threat } from "./threat.ts";

/** Attacks by a repository. */
export const ofRepositories: readonly Threat[] = [
  {
    id: "S1",
    threat: "A repository's config starts a program when its folder is opened",
    defence:
      "Plugboard starts, connects to, opens and expands nothing from a project's files before a person approves the exact launch. Without a person, it refuses.",
    shownBy: [
      {
        attack: "a repository starts a program",
        file: "test/hostile/configs.test.ts",
        test: "nothing that a project's configs name is started, connected to, opened or expanded",
      },
      {
        attack: "through any host method",
        file: "test/flow/approval.test.ts",
        test: "is not started by any operation of the host",
      },
    ],
  },
  {
    id: "S2",
    threat: "An approved launch is changed later",
    defence:
      "The approval is a hash over every declared field. Any change requires approval again and shows the difference.",
    shownBy: [
      {
        attack: "a launch is changed after its approval",
        file: "test/hostile/mutations.test.ts",
        test: "every single change of an approved launch requires approval again: %s",
      },
    ],
  },
  {
    id: "S3",
    threat: "A project approves itself, or replaces your own servers",
    defence:
      "A file's location decides its tier, never its content. A project's entry cannot replace one of yours before you approved it, and its switches are ignored.",
    shownBy: [
      {
        attack: "a project approves itself",
        file: "test/flow/approval.test.ts",
        test: "cannot approve itself",
      },
      {
        attack: "a project replaces a user's server",
        file: "test/hostile/configs.test.ts",
        test: "the user's own server keeps its name, and is the one that starts",
      },
      {
        attack: "a project enables or disables servers",
        file: "src/discovery/discover.test.ts",
        test: "do not work in a project's file",
      },
    ],
  },
  {
    id: "S4",
    threat: "A value in a repository's config is a command",
    defence:
      "A project's `!command`, `file:` and header helpers are used only after you approved exactly this value.",
    shownBy: [
      {
        attack: "a value is a command",
        file: "test/hostile/configs.test.ts",
        test: "nothing that a project's configs name is started, connected to, opened or expanded",
      },
    ],
  },
  {
    id: "S5",
    threat: "A config sends your environment to a server",
    defence:
      "Variables in a project's entry are expanded only after approval. The approval shows which variables would be read and who would get them.",
    shownBy: [
      {
        attack: "a variable is sent to an unapproved server",
        file: "test/flow/approval.test.ts",
        test: "is not connected to, and no variable is expanded for it",
      },
    ],
  },
  {
    id: "S6",
    threat: "A server gets secrets of others, or a file changes which code runs",
    defence:
      "Servers get a small environment and the variables that they declare. A project's `envFile` cannot set `PATH`, `NODE_OPTIONS`, `LD_*` and similar variables.",
    shownBy: [
      {
        attack: "a program gets the whole environment",
        file: "test/flow/environment-and-secrets.test.ts",
        test: "contains what it declares and what every program needs, and nothing else of the parent's",
      },
      {
        attack: "a file changes what an approved launch runs",
        file: "src/values/resolve.test.ts",
        test: "of a project ignores envFile variables that could change what runs",
      },
    ],
  },
  {
    id: "S7",
    threat: "A symbolic link or a forged file redirects writes or trust",
    defence:
      "Plugboard does not write a project's files through a link that points outside the project. Approvals are stored outside the repository; a damaged approvals file approves nothing.",
    shownBy: [
      {
        attack: "a link redirects a write",
        file: "test/hostile/links.test.ts",
        test: "adding a server to a project does not write through a link out of it: %s",
      },
      {
        attack: "the approvals file is modified",
        file: "src/state/approvals.test.ts",
        test: "approves nothing and is reported: it %s",
      },
      {
        attack: "a link redirects an export or a switch",
        file: "test/hostile/links.test.ts",
        test: "exporting, enabling and disabling do not write through a link out of the project",
      },
      {
        attack: "a link makes a message quote a private file",
        file: "test/hostile/links.test.ts",
        test: "problems of a project's config that links to a private file quote nothing from that file",
        failsBefore: "9d25cc3",
      },
    ],
  },
  {
    id: "P4",
    threat:
      "The working folder becomes the home folder: `HOME` is unset, empty, relative or the repository itself",
    defence:
      "Only an absolute `HOME` is used, otherwise the account's folder. Without either, there is no user tier and nothing is written. A repository's files never count as the user's because of where the process was started.",
    shownBy: [
      {
        attack: "HOME is unset, empty or relative",
        file: "test/hostile/home.test.ts",
        test: "a repository's servers need approval when HOME is %s",
        failsBefore: "505e8c0",
      },
      {
        attack: "the working folder is reached through a link",
        file: "test/hostile/home.test.ts",
        test: "a repository's servers need approval when the working folder is reached through a link",
        failsBefore: "505e8c0",
      },
      {
        attack: "nothing can be created in the home folder",
        file: "test/hostile/home.test.ts",
        test: "a home folder in which nothing can be created neither hangs nor fails a command that only reads",
        failsBefore: "79d1f57e",
      },
      {
        attack: "PLUGBOARD_HOME is relative",
        file: "test/hostile/home.test.ts",
        test: "a relative PLUGBOARD_HOME is a usage error: %s",
        failsBefore: "505e8c0",
      },
      {
        attack: "there is no account",
        file: "test/hostile/home.test.ts",
        test: "a user without an account has no user tier and leaves nothing behind, with HOME=%j",
        failsBefore: "505e8c0",
      },
      {
        attack: "another tool's variable is relative",
        file: "src/discovery/assign-tiers.test.ts",
        test: "%s=%s leaves %s in the project tier",
        failsBefore: "505e8c0",
      },
      {
        attack: "a variable names a config file by a relative path",
        file: "src/discovery/discover.test.ts",
        test: "with a relative path ($%s_MCP_CONFIG_PATH) counts as the project's, not the user's",
        failsBefore: "505e8c0",
      },
    ],
  },
  {
    id: "P5",
    threat: "An approved entry is read with another tool's rules",
    defence:
      "The approval covers the reader, its expansion rules and the entry as written. Older approvals are valid only if no other tool reads the entry.",
    shownBy: [
      {
        attack: "a plugin is renamed to use another folder's data",
        file: "src/discovery/providers/agent-plugins.test.ts",
        test: "the name of a project's plugin does not choose its data: an approval does not cover it",
        failsBefore: "9d25cc3",
      },
      {
        attack: "the type is deleted",
        file: "test/flow/approval-reader.test.ts",
        test: "deleting the type of an HTTP entry sends no token to its server without a new approval",
        failsBefore: "505e8c0",
      },
      {
        attack: "the type is changed",
        file: "test/flow/approval-reader.test.ts",
        test: 'changing "stdio" to "local" passes no variable to the program without a new approval',
        failsBefore: "505e8c0",
      },
      {
        attack: "providers are disabled",
        file: "test/flow/approval-reader.test.ts",
        test: "disabling providers runs no command that was approved as plain text",
        failsBefore: "505e8c0",
      },
      {
        attack: "an older approval is reused",
        file: "test/flow/approval-reader.test.ts",
        test: "stay valid if only one tool reads the entry, but not if several do",
        failsBefore: "505e8c0",
      },
      {
        attack: "import turns its text into a variable",
        file: "test/flow/writing-import.test.ts",
        test: "text of an approved server of %s stays text when it is imported, even if it is a variable's name",
        failsBefore: "505e8c0",
      },
      {
        attack: "an approved file becomes a link",
        file: "test/flow/secret-values.test.ts",
        test: "an approved file of a project's server in %s is not read if it becomes a link out of the project",
        failsBefore: "505e8c0",
      },
      {
        attack: "an export turns a name into a file's content",
        file: "src/discovery/dialects/dialects.test.ts",
        test: "that %s would see in a name prevent the export: %j",
        failsBefore: "74e4486",
      },
      {
        attack: "an approved file becomes a link, and its path does not show that it is in the project",
        file: "test/flow/secret-values.test.ts",
        test: "an approved file that is written as a path %s is not read if it becomes a link out of the project",
        failsBefore: "74e4486",
      },
    ],
  },
  {
    id: "P6",
    threat: "A launch runs code from the current folder",
    defence:
      "One step decides where package runners and interpreters look for code: outside the working folder for your own servers, in the declaring folder for a project's. Launches that cannot be separated are refused.",
    shownBy: [
      {
        attack: "a nested repository has a file of the same name",
        file: "test/flow/launch-from-projects.test.ts",
        test: "a project's server in a nested repository runs the project's code: %s",
        failsBefore: "505e8c0",
      },
      {
        attack: "a variable names a library by a relative path",
        file: "src/connection/prepare/prepare-program.lazy.test.ts",
        test: "a project's server starts in the project's folder if its variable %s is %s",
        failsBefore: "9d25cc3",
      },
      {
        attack: "an option names a library by a relative path",
        file: "src/connection/prepare/prepare-program.lazy.test.ts",
        test: "a project's %s in a folder below it is started as %s",
        failsBefore: "9d25cc3",
      },
      {
        attack: "an approved server is exported, and its relative path is read in another folder",
        file: "test/flow/export.test.ts",
        test: "names the project's script by its absolute path",
        failsBefore: "9d25cc3",
      },
      {
        attack: "it is moved or imported",
        file: "test/flow/writing-relative-paths.test.ts",
        test: "a project's server that is moved or imported to the user's file never runs another folder's code",
        failsBefore: "9d25cc3",
      },
      {
        attack: "the folder has packages, settings and shells",
        file: "test/flow/launch-package-runners.test.ts",
        test: "a user's %s %j runs the published package in the working folder, and nothing from the repository",
        failsBefore: "505e8c0",
      },
      {
        attack: "a project opts a user's server in",
        file: "test/flow/launch-package-runners.test.ts",
        test: "a user's server runs the project's packages only if the user's own file says so",
        failsBefore: "505e8c0",
      },
      {
        attack: "a module shadows another",
        file: "test/flow/launch-interpreters.test.ts",
        test: "a user's python3 %j imports nothing from the working folder",
        failsBefore: "505e8c0",
      },
      {
        attack: "a nested env file",
        file: "test/flow/launch-from-projects.test.ts",
        test: "a project's server in a subfolder gets the project's env file",
        failsBefore: "505e8c0",
      },
      {
        attack: "the program is anywhere in the command line",
        file: "test/flow/launch-command-lines.test.ts",
        test: "a user's %s %j runs the published package, and nothing from the repository",
        failsBefore: "505e8c0",
      },
      {
        attack: "code in the arguments",
        file: "test/flow/launch-command-lines.test.ts",
        test: "a user's %s %j, which would load a package of the working folder, is refused",
        failsBefore: "505e8c0",
      },
      {
        attack: "packages above the cache folder",
        file: "test/flow/launch-command-lines.test.ts",
        test: "packages above Plugboard's cache folder are not run",
        failsBefore: "505e8c0",
      },
      {
        attack: "a variable contains the working folder",
        file: "test/flow/launch-command-lines.test.ts",
        test: "${PWD} in a project's entry means the project's folder in a nested repository",
        failsBefore: "505e8c0",
      },
      {
        attack: "a list of folders has an empty or relative part",
        file: "test/flow/working-folder-values.test.ts",
        test: "a user's server runs no program of the working folder because of %s",
        failsBefore: "505e8c0",
      },
      {
        attack: "other lists of folders",
        file: "test/flow/working-folder-values.test.ts",
        test: "lists of code folders, declared or inherited, never include the working folder",
        failsBefore: "505e8c0",
      },
      {
        attack: "it is moved, and its path is the default of a variable",
        file: "test/flow/writing-relative-paths.test.ts",
        test: "a project's server that names its code by %s never runs another folder's after a move",
        failsBefore: "74e4486",
      },
      {
        attack: "settings of the folder, although an option names another folder",
        file: "test/flow/launch-package-runners.test.ts",
        test: "a user's %s %s <folder>, as a stand-in records it, starts in that folder",
        failsBefore: "74e4486",
      },
      {
        attack: "settings of cargo",
        file: "test/flow/launch-package-runners.test.ts",
        test: "a user's cargo run for another folder is refused if the working folder has settings for cargo",
        failsBefore: "74e4486",
      },
      {
        attack: "a path of the process names the working folder",
        file: "test/flow/launch-from-projects.test.ts",
        test: "a project's server in a nested repository runs the project's code through a path such as /proc/self/cwd: %s",
        failsBefore: "74e4486",
      },
      {
        attack: "a `cwd` does",
        file: "test/flow/launch-from-projects.test.ts",
        test: "a project's cwd cannot be a path such as /proc/self/cwd",
        failsBefore: "74e4486",
      },
      {
        attack: "a shell's command line that continues on the next line, or has redirections",
        file: "src/connection/prepare/prepare-program.lazy.test.ts",
        test: "a user's command line %j is prepared as %j",
      },
    ],
  },
  {
    id: "P161",
    threat: "A name contains a value, such as the prompt argument `a=@notes` or the variable `A=!id #`",
    defence:
      "Names of arguments and variables are completed only if they consist of letters, digits, `_`, `-` and dots.",
    shownBy: [
      {
        attack: "Tab completes it, and Enter sends a file or sets a command",
        file: "test/surfaces/cli-completion.test.ts",
        test: "never include a name that contains a value",
      },
    ],
  },
];
