import type { Threat } from "./threat.ts";

/** Attacks by a server on your machine. */
export const ofMachines: readonly Threat[] = [
  {
    id: "P1",
    threat: "A server outlives its host",
    defence:
      "Every server has its own process group and a marker in its environment. Plugboard stops all processes with either; if the host is killed, a reaper process does.",
    shownBy: [
      {
        attack: "a server that ignores all signals, a host that is killed",
        file: "test/faults/cycles.test.ts",
        test: "no process is left running, however a host ends and whatever its servers started",
      },
      {
        attack: "a `!command` of the chat that ignores all signals",
        file: "test/surfaces/tui/quitting.test.ts",
        test: "%s ends a shell command that ignores signals",
      },
    ],
  },
  {
    id: "P2",
    threat: "A redirect sends your headers to another host",
    defence:
      "Redirects are followed only within the origin, at most three times, and never for a model's API. Only http and https addresses get requests.",
    shownBy: [
      {
        attack: "headers that follow a redirect to another host",
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
        file: "src/platform/node/http.lazy.test.ts",
        test: "an address that is not http or https gets no request (%#)",
        failsBefore: "9d25cc3",
      },
      {
        attack: "the API key of your model",
        file: "test/chat/model-key.test.ts",
        test: "a redirect receives neither the key of %s nor the conversation",
        failsBefore: "74e4486",
      },
    ],
  },
  {
    id: "P3",
    threat: "Arguments of a batch file on Windows are run as commands",
    defence:
      "Arguments are quoted for `cmd.exe`, or refused. Commands are never looked up in the working folder.",
    shownBy: [
      {
        attack: "an argument that becomes a command",
        file: "src/connection/windows-command.lazy.test.ts",
        test: "%j is passed to a batch file as %s",
      },
      {
        attack: "a command in the repository's folder",
        file: "src/connection/windows-command.lazy.test.ts",
        test: "is never taken from the working folder, where a project could have placed it",
      },
    ],
  },
  {
    id: "S33",
    threat: "Another version is installed than the one that was reviewed",
    defence:
      "Servers with known names are pinned to exact versions. Plugboard uses npm's cache directly for exact versions only, and never for a project's servers. Packages of npx are compared with advisories and the lock file, must be three days old, and run no install scripts; a replaced package requires approval again.",
    shownBy: [
      {
        attack: "a known name that installs the latest version",
        file: "src/surfaces/shared/add/known-servers.test.ts",
        test: "the known server %s is pinned to one exact version",
      },
      {
        attack: "new, malicious, look-alike and tampered packages, and install scripts",
        file: "test/hostile/packages.test.ts",
        test: "a bad package of each kind is stopped before any of its code runs",
      },
      {
        attack: "a look-alike in a repository's own lock file",
        file: "test/hostile/packages.test.ts",
        test: "a repository's lock file does not make a look-alike package known",
        failsBefore: "20958410",
      },
      {
        attack: "another version behind the same tools",
        file: "test/flow/package-replaced.test.ts",
        test: "a replaced package of a project's server requires approval again, although its tools are the same",
      },
      {
        attack: "the same after a setting or the envFile changed",
        file: "test/flow/package-replaced.test.ts",
        test: "a replaced package requires approval again after a setting of the server was changed or its envFile was approved",
        failsBefore: "79d1f57e",
      },
    ],
  },
  {
    id: "S36",
    threat: "A server does more than it should on this machine",
    defence:
      "`wrap` runs a launch in your own sandbox, and no code path bypasses it. `sandbox` hides the home folder, other processes and the network on Linux and macOS; without a backend the server does not start.",
    shownBy: [
      {
        attack: "a repository's entry turns off the sandbox of your settings unnoticed",
        file: "test/surfaces/cli-trust.test.ts",
        test: "a project's entry that turns off the sandbox of the settings: %j",
        failsBefore: "20958410",
      },
      {
        attack: "a launch without its wrapper",
        file: "src/values/resolve.test.ts",
        test: "is started through its wrapper",
      },
      {
        attack: "a launch that bypasses npx",
        file: "test/flow/npx-from-cache.test.ts",
        test: "npx is started if the setting requires it, and behind a wrapper",
      },
      {
        attack: "by a copy without its wrapper and rules",
        file: "test/flow/writing-import.test.ts",
        test: "keeps a project's sandbox and rules in the user's file",
        failsBefore: "9d25cc3",
      },
    ],
  },
  {
    id: "P11",
    threat: "Another user's compiled code is run, or damaged compiled code crashes every start",
    defence:
      "Plugboard checks owner and mode of file and folder, and compares a second copy of the code. If a check fails, it deletes the code and compiles it again.",
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
        test: "compiled code with flipped bits is compiled again",
        failsBefore: "505e8c0",
      },
    ],
  },
  {
    id: "P16",
    threat: "A server hangs, and every call to it waits for its timeout",
    defence:
      "After a timeout without any message, Plugboard probes the server. If it does not respond, Plugboard stops it with everything it started, and replaces it.",
    shownBy: [
      {
        attack: "a process is suspended",
        file: "test/flow/unresponsive.test.ts",
        test: "is replaced: a call that comes while it is probed is made on the new process",
        failsBefore: "505e8c0",
      },
      {
        attack: "an endpoint stops responding",
        file: "test/flow/unresponsive.test.ts",
        test: "gets a new connection, on which the next call is made",
        failsBefore: "505e8c0",
      },
    ],
  },
  {
    id: "P17",
    threat: "A slow server delays every start",
    defence:
      "`timeout` limits connecting if it does in the owning tool, and one timer limits the complete connection attempt.",
    shownBy: [
      {
        attack: "a short timeout, a hanging server",
        file: "test/flow/timeouts.test.ts",
        test: "an entry's timeout limits connecting, and the hint names its key, file and line",
        failsBefore: "505e8c0",
      },
      {
        attack: "a value that is never resolved",
        file: "test/flow/timeouts.test.ts",
        test: "the values that must be resolved first",
        failsBefore: "505e8c0",
      },
      {
        attack: "a sign-in that was cancelled",
        file: "src/auth/sign-in.lazy.test.ts",
        test: "a cancelled sign-in does not wait for %s",
        failsBefore: "a7217ad5",
      },
    ],
  },
  {
    id: "P25",
    threat: "A process clears its environment, leaves its group and outlives the host",
    defence:
      "Plugboard tracks descendants by parent id and start time while their parents run, and stops them with the server.",
    shownBy: [
      {
        attack: "`env -i setsid` from a server",
        file: "test/faults/cycles.test.ts",
        test: "no process is left running, however a host ends and whatever its servers started",
        failsBefore: "505e8c0",
      },
      {
        attack: "the same, and the server crashes",
        file: "src/platform/node/processes.test.ts",
        test: "and processes it started end even if the server crashes",
        failsBefore: "505e8c0",
      },
      {
        attack: "it moves to a new session every 2 ms",
        file: "test/flow/stdio-ends.test.ts",
        test: "are ended with it even if each starts another in a new session every 2 ms and ends",
        failsBefore: "505e8c0",
      },
      {
        attack: "a process is left after the host was closed",
        file: "src/platform/node/reaper.test.ts",
        test: "kills leftover processes of the servers, but no other processes of the host",
        failsBefore: "505e8c0",
      },
      {
        attack: "it declares a huge environment",
        file: "src/platform/node/marked-processes.test.ts",
        test: "reads only the start of a large environment",
        failsBefore: "505e8c0",
      },
      {
        attack: "it has an endless environment",
        file: "src/platform/node/reaper.test.ts",
        test: "ends a marked process even if another has an endless environment, when %s",
        failsBefore: "505e8c0",
      },
      {
        attack: "its name contains a line feed",
        file: "src/platform/node/reaper.test.ts",
        test: "ends a descendant with a line feed in its name, by %s",
        failsBefore: "505e8c0",
      },
      {
        attack: "thousands of processes",
        file: "src/platform/node/reaper.test.ts",
        test: "ends one of thousands of tracked processes, by %s",
        failsBefore: "505e8c0",
      },
      {
        attack: "it has another mark before its own",
        file: "src/platform/node/marked-processes.test.ts",
        test: "finds a process that has another mark before its own",
        failsBefore: "74e4486",
      },
      {
        attack: "it uses up all process ids",
        file: "src/platform/node/marked-processes.test.ts",
        test: "the lowest id to search is that of the oldest server, unless ids may be reused: %s",
        failsBefore: "74e4486",
      },
      {
        attack: "it declares variables that come before its mark",
        file: "src/platform/node/processes.test.ts",
        test: "has its mark at the start of its environment, because only the start is searched",
        failsBefore: "74e4486",
      },
    ],
  },
  {
    id: "P27",
    threat: "Another user of the machine changes your approvals, settings or config files",
    defence:
      "Plugboard checks owner and mode of the files, of their parent folders and of every link. It refuses state of other users; their config files require approval.",
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
      {
        attack: "the approved server of such a file runs the folder's code",
        file: "test/flow/launch-from-shared-files.test.ts",
        test: "%s of an approved server in %s is never the working folder's, even if others can write to that file",
        failsBefore: "74e4486",
      },
    ],
  },
  {
    id: "P28",
    threat: "A sandbox or a switch with a typo is ignored",
    defence:
      "An invalid protective setting has its strictest meaning: the server is not started, is disabled, or is untrusted.",
    shownBy: [
      {
        attack: "a sandbox",
        file: "src/inventory/interpret.test.ts",
        test: "prevents the start if wrap is %j",
        failsBefore: "505e8c0",
      },
      {
        attack: "a switch",
        file: "src/inventory/interpret.test.ts",
        test: "disables the server if enabled is %j, unless that is `true`",
        failsBefore: "505e8c0",
      },
      {
        attack: "trust",
        file: "src/inventory/interpret.test.ts",
        test: "trust: false in Plugboard's own file means untrusted",
        failsBefore: "505e8c0",
      },
    ],
  },
  {
    id: "P90",
    threat: "A host that a sandboxed server may reach ends Plugboard with an unusual answer",
    defence:
      "The proxy answers 502 if a host's status is invalid. What fails while it handles a connection closes only this connection.",
    shownBy: [
      {
        attack: "a status below 100",
        file: "src/platform/node/forward-proxy.lazy.test.ts",
        test: "a host that answers with an invalid status does not end the process: %j",
        failsBefore: "a7e39ff",
      },
    ],
  },
];
