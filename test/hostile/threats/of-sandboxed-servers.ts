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
        test: "is refused when the server itself replaced it by a link",
        failsBefore: "a7e39ffb",
      },
      {
        attack: "a linked script",
        file: "test/hostile/sandbox-links.test.ts",
        test: "does not make the package readable that a linked script leads to",
        failsBefore: "a7e39ffb",
      },
    ],
  },
];
