import type { Threat } from "./threat.ts";

/** What a server in a sandbox may try, or a repository that declares one. */
export const ofSandboxedServers: readonly Threat[] = [
  {
    id: "P60",
    threat: "A symlink makes an allowed sandbox path point into your home folder",
    defence:
      "At every start, an allowed path that contains a symlink is refused, whether the entry or the settings allow it. Linked package folders, and packages that a project's linked script points to, stay hidden.",
    shownBy: [
      {
        attack: "a link in a repository, or below `~/`",
        file: "test/hostile/sandbox-links.test.ts",
        test: "in %s does not follow a link (%s)",
        failsBefore: "a7e39ff",
      },
      {
        attack: "a link that matches your settings",
        file: "test/hostile/sandbox-links.test.ts",
        test: "in the settings does not follow a link of a repository",
        failsBefore: "a7e39ff",
      },
      {
        attack: "a link that replaces an approved folder",
        file: "test/hostile/sandbox-links.test.ts",
        test: "is refused when it becomes a link after its approval",
        failsBefore: "a7e39ff",
      },
      {
        attack: "a link that the server creates",
        file: "test/hostile/sandbox-links.test.ts",
        test: "is refused when the server itself replaced it with a link",
        failsBefore: "a7e39ff",
      },
      {
        attack: "a linked script",
        file: "test/hostile/sandbox-links.test.ts",
        test: "does not expose the package that a linked script leads to",
        failsBefore: "a7e39ff",
      },
    ],
  },
  {
    id: "P61",
    threat: "A package that is installed for a sandboxed server runs code outside of the sandbox",
    defence:
      "Only npm installs outside of the sandbox, without install scripts: with the packages of the entry and the registry in your own settings, without the entry's options, variables and programs and the project's settings. The settings of package managers stay read-only in the sandbox.",
    shownBy: [
      {
        attack: "install scripts, and the project's `.npmrc`",
        file: "test/hostile/sandbox-install.test.ts",
        test: "is installed from the user's registry without install scripts, whatever the project's .npmrc says",
        failsBefore: "ee4f0be9",
      },
      {
        attack: "an `.npmrc` that the server wrote",
        file: "test/hostile/sandbox-install.test.ts",
        test: "is not installed from a registry that the server chose in the project",
        failsBefore: "ee4f0be9",
      },
      {
        attack: "variables, options, programs and other package runners",
        file: "test/hostile/sandbox-install.test.ts",
        test: "is not installed with %s",
        failsBefore: "ee4f0be9",
      },
      {
        attack: "a registry that the entry names, whose package the user's own server then starts",
        file: "test/hostile/sandbox-install.test.ts",
        test: "is not installed from a registry that its entry names, because your own servers would start it",
        failsBefore: "20958410",
      },
      {
        attack: "a change to a package manager's settings",
        file: "test/hostile/sandbox-install.test.ts",
        test: "is not installed with files that the server changed: they are read-only",
        failsBefore: "ee4f0be9",
      },
    ],
  },
  {
    id: "P69",
    threat: "A sandboxed server makes Plugboard propose a sandbox that includes more than it shows",
    defence:
      "`sandbox learn` proposes neither sensitive paths nor a folder that contains one. Folders that contain credentials of many programs, and changes to files that other programs run, are sensitive.",
    shownBy: [
      {
        attack: "a file with secrets among many others of a folder",
        file: "src/operations/sandbox/learn-sandbox.lazy.test.ts",
        test: "a folder is not proposed for many files: %s",
        failsBefore: "20958410",
      },
      {
        attack: "start-up files, and folders above those with credentials",
        file: "src/operations/sandbox/learn-sandbox.lazy.test.ts",
        test: "to %s %s is sensitive",
        failsBefore: "20958410",
      },
    ],
  },
  {
    id: "P63",
    threat: "A sandboxed server uses a file or folder that the program which started Plugboard left open",
    defence:
      "A sandboxed server inherits its input and its outputs only. Other descriptors lead to `/dev/null`.",
    shownBy: [
      {
        attack: "an open home folder",
        file: "test/hostile/sandbox-escapes.test.ts",
        test: "gets no file or folder that the program which started Plugboard left open",
        failsBefore: "4f9df4b2",
      },
    ],
  },
  {
    id: "P143",
    threat:
      "A variable of an entry, such as `LD_PRELOAD`, makes the programs that create the sandbox run its code",
    defence:
      "Bubblewrap, Podman and Docker start without the entry's variables. The server gets them inside, through a file descriptor.",
    shownBy: [
      {
        attack: "variables that the system's loader obeys",
        file: "test/hostile/sandbox-escapes.test.ts",
        test: "gets its variables, but they do not change the programs that create the sandbox",
        failsBefore: "3688d5bd",
      },
      {
        attack: "a value that looks like further arguments",
        file: "src/connection/sandboxed-program.lazy.test.ts",
        test: "a variable cannot add arguments to bubblewrap",
      },
      {
        attack: "the variables of a container engine",
        file: "src/connection/container-program.lazy.test.ts",
        test: "the engine gets its own variables only, and the server's through a pipe",
      },
    ],
  },
  {
    id: "P64",
    threat: "Plugboard runs in a folder that is not a project, and a sandboxed server may change all of it",
    defence:
      "The home folder, folders of the system, shared folders such as `/tmp`, and hidden folders below the home folder that are not repositories are not projects. They stay hidden.",
    shownBy: [
      {
        attack: "`~/.ssh` and `~/.config`",
        file: "test/hostile/sandbox-escapes.test.ts",
        test: 'cannot read the working folder if it is not a project: "~/%s"',
        failsBefore: "4f9df4b2",
      },
      {
        attack: "`/etc`, `/tmp` and other folders",
        file: "src/operations/lifecycle/sandbox-project.test.ts",
        test: "a sandboxed server does not work in %s",
      },
    ],
  },
  {
    id: "P65",
    threat: "A sandboxed server changes a config file that another tool takes programs from",
    defence:
      "All config files that Plugboard knows are read-only, including those in the folder that Plugboard runs in. Hidden folders with such a file are read-only as a whole, so that replacing the file does not end its protection.",
    shownBy: [
      {
        attack: "another program replaces the file in the meantime",
        file: "test/hostile/sandbox-escapes.test.ts",
        test: "cannot change a config file that another program replaced while the server runs",
        failsBefore: "4f9df4b2",
      },
      {
        attack: "config files in a folder of the project",
        file: "test/hostile/sandbox-escapes.test.ts",
        test: "cannot change the config files of the folder that Plugboard runs in, below the project's",
        failsBefore: "4f9df4b2",
      },
    ],
  },
  {
    id: "P190",
    threat:
      "A sandboxed server has git, or a program that manages hooks, run its code outside of the sandbox",
    defence:
      "Besides `.git`, these stay read-only: folders with hooks and files that git's config names or includes, `.gitmodules`, the repositories of submodules and of folders directly in the project, and the settings of pre-commit, lefthook and Overcommit. A submodule that is not checked out is read-only as a whole.",
    shownBy: [
      {
        attack: "`core.hooksPath`",
        file: "test/hostile/sandbox-git.test.ts",
        test: "from the folder that core.hooksPath names",
        failsBefore: "79d1f57e",
      },
      {
        attack: "an included config, or a filter's script",
        file: "test/hostile/sandbox-git.test.ts",
        test: "with settings in a file that its config includes, or a program that they name",
        failsBefore: "79d1f57e",
      },
      {
        attack: "a submodule",
        file: "test/hostile/sandbox-git.test.ts",
        test: "with its own repository in place of a submodule",
        failsBefore: "79d1f57e",
      },
      {
        attack: "a repository inside the project",
        file: "test/hostile/sandbox-git.test.ts",
        test: "in a repository directly below the project, and links to others do not matter",
        failsBefore: "79d1f57e",
      },
      {
        attack: "pre-commit and lefthook",
        file: "test/hostile/sandbox-git.test.ts",
        test: "through the programs that manage hooks",
        failsBefore: "79d1f57e",
      },
      {
        attack: "a worktree, whose config is outside of the project",
        file: "test/hostile/sandbox-git.test.ts",
        test: "in a worktree, whose config is elsewhere",
        failsBefore: "79d1f57e",
      },
    ],
  },
  {
    id: "P191",
    threat: "A sandboxed server leaves a program that runs with your rights, whoever starts it",
    defence:
      "System calls that set the setuid or setgid bit of a file, or create a file with it, are refused.",
    shownBy: [
      {
        attack: "a setuid program in the project or the data folder",
        file: "test/hostile/sandbox.test.ts",
        test: "%s",
      },
    ],
  },
];
