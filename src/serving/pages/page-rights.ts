import type { PageRight, PageRole } from "./api/page.ts";
import { PageFailure } from "./page-failure.ts";

/** Who uses a page. */
export interface PagePerson {
  readonly name: string;
  readonly role: PageRole;
}

/** What a request needs. `read` is what every signed-in person may do. */
export type NeededRight = PageRight | "read";

const RIGHTS: Readonly<Record<PageRole, readonly PageRight[]>> = {
  person: ["tools.call", "connections.change"],
  auditor: [],
  administrator: ["servers.control", "tools.call", "approvals.decide", "connections.change", "clients.end"],
};

export function rightsOf({ role }: PagePerson): readonly PageRight[] {
  return RIGHTS[role];
}

/** Throws unless the person may do this. Every request of a page passes here, and nothing else decides about them. */
export function assertMay(person: PagePerson, right: NeededRight): void {
  if (right === "read" || rightsOf(person).includes(right)) return;
  throw new PageFailure(403, "PAGE_NOT_ALLOWED", "Your role does not allow this.");
}
