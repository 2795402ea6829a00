import type { Threat } from "./threat.ts";

/** What a person, or anyone on the network, may try with the gateway of a team. */
export const ofTeams: readonly Threat[] = [
  {
    id: "P157",
    threat: "A revoked token still opens the gateway's pages",
    defence: "A session of the pages ends with the token that started it.",
    shownBy: [
      {
        attack: "a session that was started before",
        file: "test/team/sign-in.test.ts",
        test: "ends with the token that it was opened with",
      },
    ],
  },
  {
    id: "P158",
    threat: "Anyone on the network makes the gateway slow with sign-ins that are never finished",
    defence:
      "At most 500 unfinished sign-ins and 100 tickets of each kind and person are kept, with short return addresses. Limits apply to whole IPv6 networks.",
    shownBy: [
      {
        attack: "very many sign-ins, or tickets of one person",
        file: "src/store/files/file-team-store.test.ts",
        test: "sign-ins that anyone can start, and one person's tickets, use a limited part of the file",
      },
      {
        attack: "a long return address",
        file: "test/team/sign-in.test.ts",
        test: "a sign-in never leads to %j",
      },
      {
        attack: "a new IPv6 address for every request",
        file: "src/access/client-address.test.ts",
        test: "limits for %s apply to %s",
      },
    ],
  },
];
