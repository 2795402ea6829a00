import type { Workspace } from "../../operations/index.ts";
import { VERSION } from "../../version.ts";
import type { PageSession } from "./api/page.ts";
import { rightsOf } from "./page-rights.ts";
import type { OpenPageSession } from "./page-sessions.ts";

/** Describes who uses a page. */
export function sessionDocument(
  { environment }: Workspace,
  { person, expiresAt }: Pick<OpenPageSession, "person" | "expiresAt">,
): PageSession {
  return {
    person: person.name,
    role: person.role,
    rights: rightsOf(person),
    isLocal: true,
    expiresAt,
    version: VERSION,
    folder: environment.cwd,
    ...(environment.home !== undefined && { home: environment.home }),
  };
}
