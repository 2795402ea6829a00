import type { AuthDeps, AuthSubject } from "../auth-subject.ts";
import { originsOf } from "../oauth-settings.ts";
import type { AddressClass } from "./address-class.ts";
import { Guard, type InsideRule } from "./guarded-fetch.ts";

interface GuardQuestion {
  /** The address that counts as the server's own. */
  readonly server: URL;
  readonly reach?: AddressClass | undefined;
  /** Addresses that issued the tokens there are. They are allowed, and not shown again. */
  readonly known?: readonly (string | undefined)[];
}

/** The guard for signing in to a server, with the rules for whose entry it is. */
export function guardFor(
  works: AuthDeps,
  subject: Pick<AuthSubject, "name" | "url" | "entry">,
  { server, reach, known = [] }: GuardQuestion,
): Guard {
  const { http, clock } = works.ports;
  return new Guard({ http, clock, server, reach, inside: insideRule(works, subject, known) });
}

function insideRule(
  { shown, onInsideAddress }: AuthDeps,
  { name, url, entry }: Pick<AuthSubject, "name" | "url" | "entry">,
  known: readonly (string | undefined)[],
): InsideRule {
  const origins = originsOf(known);
  if (entry.project !== undefined)
    return { only: [...entry.project.origins, ...origins], hasNoOwn: url === undefined };
  return {
    show(origin) {
      const key = `${name}\0${origin}`;
      if (origins.includes(origin) || shown.has(key)) return;
      shown.add(key);
      onInsideAddress?.(name, origin);
    },
  };
}
