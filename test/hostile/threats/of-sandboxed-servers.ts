import type { Threat } from "./threat.ts";

/** What a server in a sandbox may try, or a repository that declares one. */
export const ofSandboxedServers: readonly Threat[] = [
  {
    id: "P60",
    threat: "A link makes a path of a sandbox lead to your home folder",
    defence:
      "A listed path that contains a link is refused at every start, whether the entry or the settings list it. Linked package folders, and packages that a linked script of the project leads to, stay hidden.",
    shownBy: [
      {
        attack: "a link in a repository, or below `~/`",
        file: "test/hostile/sandbox-links.test.ts",
        test: "in %s does not follow a link (%s)",
        failsBefore: "a7e39ffb",
      },
      {
        attack: "a link that matches your settings",
        file: "test/hostile/sandbox-links.test.ts",
        test: "in the settings does not follow a link of a repository",
        failsBefore: "a7e39ffb",
      },
      {
        attack: "a link that replaces an approved folder",
        file: "test/hostile/sandbox-links.test.ts",
        test: "is refused when it becomes a link after its approval",
        failsBefore: "a7e39ffb",
      },
      {
        attack: "a link that the server creates",
        file: "test/hostile/sandbox-links.test.ts",
        test: "is refused when the server itself replaced it with a link",
        failsBefore: "a7e39ffb",
      },
      {
        attack: "a linked script",
        file: "test/hostile/sandbox-links.test.ts",
        test: "does not expose the package that a linked script leads to",
        failsBefore: "a7e39ffb",
      },
    ],
  },
  {
    id: "P61",
    threat: "A package that is installed for a sandboxed server runs code outside of the sandbox",
    defence:
      "Only npm installs outside of the sandbox, without install scripts: with the packages and the registry of the entry, but without its other options, its variables, its programs and the project's settings. The settings of package managers stay read-only in the sandbox.",
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
        attack: "a change to a package manager's settings",
        file: "test/hostile/sandbox-install.test.ts",
        test: "is not installed with files that the server changed: they are read-only",
        failsBefore: "ee4f0be9",
      },
    ],
  },
];
