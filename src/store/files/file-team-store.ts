import { join } from "node:path";
import type { Ports } from "../../platform/index.ts";
import { type OwnPaths, principalPaths } from "../../state/index.ts";
import type { Store } from "../store.ts";
import type { CallApproval, Person, PolicyVersion } from "../team-records.ts";
import { createFileCallApprovals } from "./file-call-approvals.ts";
import { createFilePeople } from "./file-people.ts";
import { createFilePolicies } from "./file-policies.ts";
import { FileRevisions } from "./file-revisions.ts";
import { createFileTickets, type HashedTicket } from "./file-tickets.ts";
import { createFileTokens, type HashedToken } from "./file-tokens.ts";
import { createListFile, type ListFile } from "./list-file.ts";

/** A gateway's data about the people of a team. */
export type TeamStore = Pick<
  Store,
  "people" | "tokens" | "policies" | "tickets" | "callApprovals" | "revisions"
>;

/** Keeps what a team needs in files, for one gateway on one machine. Commands in other processes may change them, too. */
export async function openFileTeamStore(
  ports: Ports,
  places: OwnPaths,
): Promise<TeamStore & { close(): Promise<void> }> {
  const folder = join(places.state, "team");
  const look = (): void => void revisions.look();
  const open = <T>(name: string): ListFile<T> => createListFile<T>(ports, join(folder, name), look);
  const people = open<Person>("people.json");
  const tokens = open<HashedToken>("tokens.json");
  const policies = open<PolicyVersion>("policies.json");
  const calls = open<CallApproval>("call-approvals.json");
  const tickets = createListFile<HashedTicket>(ports, join(folder, "tickets.json"));
  const revisions = new FileRevisions(ports, [
    { kind: "people", file: people, keyOf: (item) => (item as Person).id },
    { kind: "tokens", file: tokens, keyOf: (item) => (item as HashedToken).id },
    { kind: "policy", file: policies, keyOf: () => "" },
    {
      kind: "call_approvals",
      file: calls,
      keyOf: (item) => (item as CallApproval).person,
    },
  ]);
  await revisions.look();
  return {
    people: createFilePeople(people, ports.clock, async (id) => {
      await Promise.all(
        [tokens, tickets, calls].map((list) =>
          (list as ListFile<{ readonly person: string }>).update((items) =>
            items.filter(({ person }) => person !== id),
          ),
        ),
      );
      // Sign-ins, secrets, approvals, pins and lists.
      const own = principalPaths(places, id);
      for (const path of [own.state, own.cache]) await ports.files.folders?.remove(path);
      return {};
    }),
    tokens: createFileTokens(tokens, ports.clock),
    policies: createFilePolicies(policies, ports.clock),
    tickets: createFileTickets(tickets, ports.clock),
    callApprovals: createFileCallApprovals(calls, ports.clock),
    revisions,
    close: async () => revisions.close(),
  };
}
