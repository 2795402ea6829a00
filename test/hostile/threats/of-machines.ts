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
    defence: "Redirects are followed within the origin only, at most three.",
    shownBy: [
      {
        attack: "headers that follow a redirect elsewhere",
        file: "test/flow/http-redirects.test.ts",
        test: "a redirect by %i to another origin is not followed",
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
];
