import type { Threat } from "./threat.ts";

/** What a process of another user, or of the same user, may try with the daemon. */
export const ofTheDaemon: readonly Threat[] = [
  {
    id: "P80",
    threat:
      "Another process connects to the daemon, or listens in its place, to get variables or run programs",
    defence:
      "The socket is in a private folder. Both sides prove that they can read the user's key before anything is sent. No message names a program to run.",
    shownBy: [
      {
        attack: "a process without the key connects",
        file: "test/daemon/borrow.test.ts",
        test: "a process without the key learns nothing and gets nothing",
      },
      {
        attack: "a process without the key listens",
        file: "test/daemon/impostor.test.ts",
        test: "a listener without the key gets no variables, and the command runs the server itself",
      },
      {
        attack: "another user connects",
        file: "test/daemon/impostor.test.ts",
        test: "another user of the machine cannot connect (skipped unless run as root)",
      },
      {
        attack: "a folder for long paths that belongs to another user",
        file: "test/daemon/impostor.test.ts",
        test: "a socket folder that others can write to is refused",
      },
    ],
  },
  {
    id: "P81",
    threat: "A command uses a process of the daemon that was started with other code, values or approval",
    defence:
      "A server is lent only if the borrower would start exactly the same: entry, file, program, arguments, folder, environment and sandbox. The daemon itself checks approvals.",
    shownBy: [
      {
        attack: "one of these differs",
        file: "src/operations/lifecycle/launch-digest.test.ts",
        test: "a launch that differs in one thing has another digest: 10,000 cases",
      },
      {
        attack: "another value of a variable",
        file: "test/daemon/borrow.test.ts",
        test: "a process that got another value is not used",
      },
      {
        attack: "the entry was changed",
        file: "test/daemon/borrow.test.ts",
        test: "an entry that changed is started again",
      },
      {
        attack: "a project's server without approval",
        file: "test/daemon/borrow.test.ts",
        test: "the daemon starts no server of a project that is not approved",
      },
    ],
  },
];
