import type { Threat } from "./threat.ts";

/** What a recording in a repository may try. */
export const ofRecordings: readonly Threat[] = [
  {
    id: "P31",
    threat: "A recording in a repository stands in for servers",
    defence:
      "A recording defines no servers and grants no trust. It is limited and checked, and it cannot start a sign-in. A replay saves no lists, pins or names. A recorder replaces only recordings and does not follow links.",
    shownBy: [
      {
        attack: "it answers for a server without approval, or for a denied tool",
        file: "test/flow/recording.test.ts",
        test: "does not grant trust",
      },
      {
        attack: "its definitions count as reviewed later",
        file: "test/flow/recording.test.ts",
        test: "saves nothing from the recording: no lists, pins or names",
      },
      {
        attack: "a damaged or hostile line, or millions of empty ones",
        file: "test/flow/recording.test.ts",
        test: "%s",
      },
      {
        attack: "a link in place of the recording to write",
        file: "test/flow/recording.test.ts",
        test: "does not follow a link out of the project",
      },
    ],
  },
];
