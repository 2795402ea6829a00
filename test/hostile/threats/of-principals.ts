import type { Threat } from "./threat.ts";

const MANY = "test/stores/many-principals.test.ts";
const FLOW = "test/stores/principals.test.ts";

export const ofPrincipals: readonly Threat[] = [
  {
    id: "P33",
    threat: "A token, a secret or an approval of one person is used for another",
    defence:
      "Each principal has its own workspace with its own connections, lists, sign-ins, secrets, approvals, pins and files. Nothing that depends on a person is in a cache that two principals share.",
    shownBy: [
      {
        attack: "200 principals at once",
        file: MANY,
        test: "200 principals call three servers at once, and each call uses the principal's own token",
      },
      {
        attack: "any order of calls, sessions, lists and changes",
        file: MANY,
        test: "no operation of a principal ever uses or shows another principal's token",
      },
      {
        attack: "a principal without a secret",
        file: MANY,
        test: "a principal without a secret gets neither the host's nor another principal's",
      },
      { attack: "approvals", file: FLOW, test: "of a principal count for that principal only" },
      {
        attack: "the program's own OAuth provider",
        file: FLOW,
        test: "of a program's own provider are per principal: an object is refused, a function is asked once",
      },
      {
        attack: "another person's session is continued",
        file: FLOW,
        test: "that belongs to a session ends with the session, and continues in the next one",
      },
      {
        attack: "a shared part is added later",
        file: "test/stores/shared-parts.test.ts",
        test: "two principals share only what stores nothing about a person",
      },
    ],
  },
  {
    id: "P34",
    threat: "Two names of principals become equal in a file name or a database",
    defence:
      "Names with control characters or invalid Unicode are refused. Folders are named by a hash. `verifyCredentialStore` checks that a store keeps similar names apart.",
    shownBy: [
      { attack: "invalid names", file: FLOW, test: "the principal %j is refused" },
      {
        attack: "names that are paths",
        file: FLOW,
        test: "a principal's secrets are kept in folders that do not show the name, and uninstalling removes them",
      },
      {
        attack: "a store that mixes up names",
        file: "src/testing/verify-credential-store.test.ts",
        test: "%s",
      },
    ],
  },
];
