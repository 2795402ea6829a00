import type { Clock } from "../../platform/index.ts";
import type { Ticket, TicketStore } from "../team-records.ts";
import type { ListFile } from "./list-file.ts";

/** Beyond these, the oldest tickets of the same kind and person end. Each write reads the whole file. */
const MOST_PER_PERSON = 100;
/** Anyone can start a sign-in, so its person is not known yet. */
const MOST_OF_UNKNOWN = 500;

/** A ticket, with the SHA-256 of its text. */
export interface HashedTicket extends Ticket {
  readonly hash: string;
}

/** Keeps tickets in a file. */
export function createFileTickets(file: ListFile<HashedTicket>, clock: Clock): TicketStore {
  const isValid = ({ expiresAt }: Ticket): boolean => expiresAt > clock.now();
  return {
    async create(ticket, hash) {
      const hashed = { ...ticket, hash: Buffer.from(hash).toString("hex") };
      await file.update((tickets) => withRoom([...tickets.filter(isValid), hashed], ticket));
    },
    async get(kind, hash) {
      const found = (await file.read()).find(matching(kind, hash));
      return found !== undefined && isValid(found) ? withoutHash(found) : undefined;
    },
    async take(kind, hash) {
      let taken: HashedTicket | undefined;
      await file.update((tickets) => {
        taken = tickets.find(matching(kind, hash));
        return taken === undefined ? tickets : tickets.filter((ticket) => ticket !== taken);
      });
      return taken !== undefined && isValid(taken) ? withoutHash(taken) : undefined;
    },
    removeAll: (kind, person) =>
      file.update((tickets) => tickets.filter((ticket) => ticket.kind !== kind || ticket.person !== person)),
  };
}

/** Returns the tickets without the oldest ones of a kind and person, if there are too many. */
function withRoom(
  tickets: readonly HashedTicket[],
  { kind, person }: Pick<Ticket, "kind" | "person">,
): readonly HashedTicket[] {
  const isSame = (ticket: Ticket): boolean => ticket.kind === kind && ticket.person === person;
  let excess = tickets.filter(isSame).length - (person === "" ? MOST_OF_UNKNOWN : MOST_PER_PERSON);
  if (excess <= 0) return tickets;
  return tickets.filter((ticket) => {
    if (excess <= 0 || !isSame(ticket)) return true;
    excess -= 1;
    return false;
  });
}

function matching(kind: Ticket["kind"], hash: Uint8Array): (ticket: HashedTicket) => boolean {
  const wanted = Buffer.from(hash).toString("hex");
  return (ticket) => ticket.kind === kind && ticket.hash === wanted;
}

function withoutHash({ hash: _, ...ticket }: HashedTicket): Ticket {
  return ticket;
}
