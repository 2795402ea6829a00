import type { Clock } from "../../platform/index.ts";
import type { Ticket, TicketStore } from "../team-records.ts";
import type { ListFile } from "./list-file.ts";

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
      await file.update((tickets) => [...tickets.filter(isValid), hashed]);
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

function matching(kind: Ticket["kind"], hash: Uint8Array): (ticket: HashedTicket) => boolean {
  const wanted = Buffer.from(hash).toString("hex");
  return (ticket) => ticket.kind === kind && ticket.hash === wanted;
}

function withoutHash({ hash: _, ...ticket }: HashedTicket): Ticket {
  return ticket;
}
