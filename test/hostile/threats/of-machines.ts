import type { Threat } from "./threat.ts";

/** What a server may try with your machine. */
export const ofMachines: readonly Threat[] = [
  {
    id: "P1",
    threat: "A server outlives its host",
    defence:
      "Every server has a process group and a mark in its environment; both are ended with it, by a reaper where the host was killed.",
    shownBy: [
      {
        attack: "a server that ignores every request to end, a host that is killed",
        file: "test/faults/cycles.test.ts",
        test: "nothing is left running however a host ends, whatever its servers started",
      },
    ],
  },
  {
    id: "P2",
    threat: "A redirect takes your headers elsewhere",
    defence:
      "Redirects are followed within the origin only, at most three. Only http and https addresses get requests.",
    shownBy: [
      {
        attack: "headers that follow a redirect elsewhere",
        file: "test/flow/http-redirects.test.ts",
        test: "a redirect by %i to another origin is not followed",
      },
      {
        attack: "a redirect to another scheme, such as `blob:`",
        file: "test/flow/http-redirects.test.ts",
        test: "a redirect to another scheme is not followed (%#)",
        failsBefore: "9d25cc3",
      },
      {
        attack: "a legacy server that names such an address",
        file: "test/flow/http-redirects.test.ts",
        test: "a legacy server cannot have messages sent to another scheme (%#)",
        failsBefore: "9d25cc3",
      },
      {
        attack: "any request to such an address",
        file: "src/platform/node/http.test.ts",
        test: "an address that is not http or https gets no request (%#)",
        failsBefore: "9d25cc3",
      },
    ],
  },
  {
    id: "P3",
    threat: "A batch file on Windows is given commands as arguments",
    defence:
      "Arguments are quoted for `cmd.exe`, or refused; commands are never taken from the working folder.",
    shownBy: [
      {
        attack: "an argument that becomes a command",
        file: "src/connection/windows-command.test.ts",
        test: "%j is handed to a batch file as %s",
      },
      {
        attack: "a command that a repository put beside itself",
        file: "src/connection/windows-command.test.ts",
        test: "is never taken from the working folder, where a repository could have put it",
      },
    ],
  },
  {
    id: "S33",
    threat: "What is installed is not what was looked at",
    defence:
      "Servers that are known by name are pinned to exact versions; npm's cache is used for exact versions only, and never for a project's servers.",
    shownBy: [
      {
        attack: "a known name that leads to whatever is newest",
        file: "src/surfaces/cli/known-servers.test.ts",
        test: "the known server %s is pinned to one exact version",
      },
    ],
  },
  {
    id: "S36",
    threat: "A server does more than it should on this machine",
    defence:
      "`wrap` puts a sandbox of yours in front of a launch, and no way of starting passes it by. Plugboard brings none of its own.",
    shownBy: [
      {
        attack: "a launch that leaves its wrapper behind",
        file: "src/values/resolve.test.ts",
        test: "is put behind its wrapper",
      },
      {
        attack: "by the short way round npx",
        file: "test/flow/npx-from-cache.test.ts",
        test: "npx is started where the setting says so, and behind a wrapper",
      },
    ],
  },
  {
    id: "P11",
    threat: "Another user's compiled code is run, or damaged code crashes every start",
    defence:
      "Owner and mode of file and folder, and a second copy of the code, are checked; anything else is deleted and compiled again.",
    shownBy: [
      {
        attack: "a file of another user",
        file: "test/hostile/code-cache.test.ts",
        test: "compiled code is not run from %s, and is compiled again",
        failsBefore: "505e8c0",
      },
      {
        attack: "flipped bits",
        file: "test/hostile/code-cache.test.ts",
        test: "flipped bits never matter: the code is compiled again",
        failsBefore: "505e8c0",
      },
    ],
  },
  {
    id: "P16",
    threat: "A server hangs, and every call to it waits for its timeout",
    defence:
      "After a timeout without a sign of life the server is probed; without an answer it is ended with everything it started, and replaced.",
    shownBy: [
      {
        attack: "a process is suspended",
        file: "test/flow/unresponsive.test.ts",
        test: "is replaced: a call that comes while it is probed is made on the new process",
        failsBefore: "505e8c0",
      },
      {
        attack: "an endpoint goes silent",
        file: "test/flow/unresponsive.test.ts",
        test: "gets a new connection, on which the next call is made",
        failsBefore: "505e8c0",
      },
    ],
  },
  {
    id: "P17",
    threat: "A slow server holds up every start",
    defence: "`timeout` bounds connecting where its tool says so, and one timer bounds all of connecting.",
    shownBy: [
      {
        attack: "a short timeout, a hanging server",
        file: "test/flow/timeouts.test.ts",
        test: "an entry's timeout bounds connecting, and the hint names its key, file and line",
        failsBefore: "505e8c0",
      },
      {
        attack: "a value that never comes",
        file: "test/flow/timeouts.test.ts",
        test: "and for the values that have to be fetched first",
        failsBefore: "505e8c0",
      },
    ],
  },
  {
    id: "P25",
    threat: "A process clears its environment, leaves its group and outlives the host",
    defence:
      "Descendants are followed by parent id and start time while their parents run, and ended with the server.",
    shownBy: [
      {
        attack: "`env -i setsid` from a server",
        file: "test/faults/cycles.test.ts",
        test: "nothing is left running however a host ends, whatever its servers started",
        failsBefore: "505e8c0",
      },
      {
        attack: "also if the server crashes",
        file: "src/platform/node/processes.test.ts",
        test: "and what it started so is ended also if the server crashes",
        failsBefore: "505e8c0",
      },
      {
        attack: "it moves to a new session every 2 ms",
        file: "test/flow/stdio-ends.test.ts",
        test: "are ended with it even if each starts another in a new session every 2 ms and ends",
        failsBefore: "505e8c0",
      },
      {
        attack: "the host was closed and something is left",
        file: "src/platform/node/reaper.test.ts",
        test: "kills what its host left of the servers, and nothing else of that host",
        failsBefore: "505e8c0",
      },
      {
        attack: "it declares a huge environment",
        file: "src/platform/node/marked-processes.test.ts",
        test: "reads only the start of an environment that a process declared to be large",
        failsBefore: "505e8c0",
      },
      {
        attack: "its environment never ends",
        file: "src/platform/node/reaper.test.ts",
        test: "ends a marked process while another has an environment that never ends, if %s",
        failsBefore: "505e8c0",
      },
      {
        attack: "a line feed in its name",
        file: "src/platform/node/reaper.test.ts",
        test: "ends a descendant that has a line feed in its name, by %s",
        failsBefore: "505e8c0",
      },
      {
        attack: "thousands of processes",
        file: "src/platform/node/reaper.test.ts",
        test: "ends a process that is one of very many that are followed, by %s",
        failsBefore: "505e8c0",
      },
    ],
  },
  {
    id: "P27",
    threat: "Another user of the machine writes your approvals, settings or config files",
    defence:
      "Owner and mode of the files, of the folders above them and of every link are checked. State of others is refused; config files of others need approval.",
    shownBy: [
      {
        attack: "approvals",
        file: "test/hostile/shared-places.test.ts",
        test: "approvals do not count if they %s",
        failsBefore: "505e8c0",
      },
      {
        attack: "your own servers",
        file: "test/hostile/shared-places.test.ts",
        test: "the user's servers need approval if their files %s",
        failsBefore: "505e8c0",
      },
      {
        attack: "another tool's servers",
        file: "test/hostile/shared-places.test.ts",
        test: "another tool's servers need approval if their files %s",
        failsBefore: "505e8c0",
      },
      {
        attack: "a secret is stored in their folder",
        file: "test/hostile/shared-places.test.ts",
        test: "nothing is stored in another user's folder",
        failsBefore: "505e8c0",
      },
      {
        attack: "settings",
        file: "test/hostile/shared-places.test.ts",
        test: "settings of another user are not used",
        failsBefore: "505e8c0",
      },
    ],
  },
  {
    id: "P28",
    threat: "A sandbox or a switch that is misspelt is left out",
    defence:
      "What is meant to protect and cannot be understood allows nothing: the server is not started, is off, or is untrusted.",
    shownBy: [
      {
        attack: "a sandbox",
        file: "src/inventory/interpret.test.ts",
        test: "is not started when its wrap is %j",
        failsBefore: "505e8c0",
      },
      {
        attack: "a switch",
        file: "src/inventory/interpret.test.ts",
        test: "is off when its switch is %j, unless that says true",
        failsBefore: "505e8c0",
      },
      {
        attack: "trust",
        file: "src/inventory/interpret.test.ts",
        test: "trust that is false in Plugboard's own file counts as untrusted",
        failsBefore: "505e8c0",
      },
    ],
  },
];
