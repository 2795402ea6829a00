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
        test: "a process without the key gets no data and no server",
      },
      {
        attack: "a process without the key listens",
        file: "test/daemon/impostor.test.ts",
        test: "2.19 a listener without the key gets no variables, and the command runs the server itself",
      },
      {
        attack: "another user connects",
        file: "test/daemon/impostor.test.ts",
        test: "another user on the machine cannot connect (skipped unless run as root)",
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
        attack: "a different value of a variable",
        file: "test/daemon/borrow.test.ts",
        test: "does not reuse a process that was started with a different value",
      },
      {
        attack: "the entry was changed",
        file: "test/daemon/borrow.test.ts",
        test: "a server whose entry changed is started again",
      },
      {
        attack: "a project's server without approval",
        file: "test/daemon/borrow.test.ts",
        test: "the daemon starts no server of a project that is not approved",
      },
    ],
  },
  {
    id: "P140",
    threat:
      "A server that leaks memory, or starts too often, takes the machine's memory while it runs in the background",
    defence:
      "Each server, all servers together and their number have limits. A server over its limit is restarted, at most five times in five minutes; unused servers stop first.",
    shownBy: [
      {
        attack: "one server uses more and more",
        file: "test/daemon/ps.test.ts",
        test: "a server that uses more than `maxMemoryMb` is restarted, and others keep running",
      },
      {
        attack: "all together use too much",
        file: "test/daemon/ps.test.ts",
        test: "over `totalMemoryMb`, the server that was not used for the longest time stops",
      },
      {
        attack: "too many start at once",
        file: "src/serving/guard/resource-guard.test.ts",
        test: "servers that are starting count, too",
      },
    ],
  },
  {
    id: "P141",
    threat: "A daemon of an older version, with its old code, serves programs after an upgrade",
    defence:
      "Each version has its own socket. A newer daemon makes the older one take no new clients, and an older version starts none beside it.",
    shownBy: [
      {
        attack: "an old daemon with clients",
        file: "test/daemon/upgrade.test.ts",
        test: "when a newer version takes over, the older daemon accepts no new clients and ends with its last one",
      },
      {
        attack: "an old program that starts its daemon again",
        file: "test/daemon/upgrade.test.ts",
        test: "an older version does not start a daemon next to a newer one, and works without a daemon",
      },
    ],
  },
  {
    id: "P142",
    threat:
      "A session id of an HTTP client is guessed, changed or used elsewhere after a restart of the gateway",
    defence:
      "Ids have 128 random bits and a tag, which is checked before any file is read. A session continues only at its own address and endpoint. File names are hashes of ids.",
    shownBy: [
      {
        attack: "another address, another endpoint, a changed id",
        file: "test/gateway/sessions-continue.test.ts",
        test: "a session is unknown at another address, on another endpoint, and with a changed id",
      },
      {
        attack: "an id whose session has ended",
        file: "test/gateway/sessions-continue.test.ts",
        test: "a session that its client ended stays ended, and leaves no file",
      },
    ],
  },
  {
    id: "P153",
    threat: "A client of the daemon gets the variables, or disturbs the subscriptions, of another one",
    defence:
      "Clients share servers only if their variables are equal, and the variables that may differ, such as those of terminals, are not passed on. Each borrower of a server has its own subscriptions.",
    shownBy: [
      {
        attack: "a token in a variable of npm, of an editor or of a terminal",
        file: "test/daemon/workspaces.test.ts",
        test: "a client never gets the values of another client's terminal or package manager",
      },
      {
        attack: "a borrower that subscribes to the same resource, and ends",
        file: "src/serving/relay/client-subscriptions.test.ts",
        test: "two borrowers of a server have separate subscriptions, although they share connections",
      },
    ],
  },
  {
    id: "P154",
    threat: "Programs that change their environment variables all the time make the daemon slow",
    defence: "At most 16 workspaces without clients are kept, or 64 with those that are used over HTTP.",
    shownBy: [
      {
        attack: "a new variable in every command",
        file: "test/daemon/workspaces.test.ts",
        test: "programs whose variables always differ leave a limited number of workspaces",
      },
    ],
  },
];
