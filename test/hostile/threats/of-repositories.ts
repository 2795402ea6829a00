import type { Threat } from "./threat.ts";

/** What a repository may try. */
export const ofRepositories: readonly Threat[] = [
  {
    id: "S1",
    threat: "A repository's config starts a program when its folder is opened",
    defence:
      "Nothing of a project's files is started, connected to, opened or filled in before a person approves the exact launch; where there is no person, the answer is no.",
    shownBy: [
      {
        attack: "a repository starts a program",
        file: "test/hostile/configs.test.ts",
        test: "nothing that a project's configs name is started, connected to, opened or filled in",
      },
      {
        attack: "by whatever the host is asked",
        file: "test/flow/approval.test.ts",
        test: "is not started by anything the host can be asked",
      },
    ],
  },
  {
    id: "S2",
    threat: "An approved launch is swapped later",
    defence: "The approval is a hash over every declared field; any change asks again, with the difference.",
    shownBy: [
      {
        attack: "a launch is swapped after its approval",
        file: "test/hostile/mutations.test.ts",
        test: "every single change of an approved launch asks again: %s",
      },
    ],
  },
  {
    id: "S3",
    threat: "A project vouches for itself, or speaks for you",
    defence:
      "A file's place decides its tier, never its contents. A project's entry cannot take the name of one of yours before you approved it, and its switches count for nothing.",
    shownBy: [
      {
        attack: "a project trusts itself",
        file: "test/flow/approval.test.ts",
        test: "cannot approve itself",
      },
      {
        attack: "or speaks for the person",
        file: "test/hostile/configs.test.ts",
        test: "a person's own server keeps its name, and is the one that is started",
      },
      {
        attack: "or switches servers",
        file: "src/discovery/discover.test.ts",
        test: "are not honoured in a project's",
      },
    ],
  },
  {
    id: "S4",
    threat: "A value in a repository's config is a command",
    defence:
      "`!command`, `file:` and header helpers of a project run only after you approved that very value.",
    shownBy: [
      {
        attack: "a value is a command",
        file: "test/hostile/configs.test.ts",
        test: "nothing that a project's configs name is started, connected to, opened or filled in",
      },
    ],
  },
  {
    id: "S5",
    threat: "A config reads your environment and sends it away",
    defence:
      "Variables of a project's entry are expanded only after its approval, which shows which would be read and who would get them.",
    shownBy: [
      {
        attack: "a variable is sent to a stranger",
        file: "test/flow/approval.test.ts",
        test: "is not connected to, and nothing of the environment is filled in for it",
      },
    ],
  },
  {
    id: "S6",
    threat: "A server gets secrets that are not its own, or a file steers which code runs",
    defence:
      "Servers get a small environment and what they declare. An `envFile` of a project cannot set `PATH`, `NODE_OPTIONS`, `LD_*` and their like.",
    shownBy: [
      {
        attack: "a program gets the whole environment",
        file: "test/flow/environment-and-secrets.test.ts",
        test: "holds what it declares and what every program needs, nothing else of the parent's",
      },
      {
        attack: "a file steers what an approved launch runs",
        file: "src/values/resolve.test.ts",
        test: "of a project takes nothing from a file that would change what runs: the file was not approved",
      },
    ],
  },
  {
    id: "S7",
    threat: "A link or a forged file makes us write or trust elsewhere",
    defence:
      "What is meant for a project is not written through a link out of it. Approvals are kept outside of the repository; a damaged file of them approves nothing.",
    shownBy: [
      {
        attack: "a link makes us write elsewhere",
        file: "test/hostile/links.test.ts",
        test: "what is added to a project is not written through a link out of it: %s",
      },
      {
        attack: "the approvals are tampered with",
        file: "src/state/approvals.test.ts",
        test: "because it %s approves nothing, and says so",
      },
      {
        attack: "what is exported or switched goes through a link",
        file: "test/hostile/links.test.ts",
        test: "nor is what is exported to it, or switched in it",
      },
    ],
  },
];
