import type { AuthDeps, AuthSubject } from "../auth-subject.ts";
import { originsOf } from "../oauth-settings.ts";
import type { AddressClass } from "./address-class.ts";
import { Guard, type InsideRule } from "./guarded-fetch.ts";

interface GuardQuestion {
  /** The URL that counts as the server's own address. */
  readonly server: URL;
  readonly reach?: AddressClass | undefined;
  /** URLs that issued the existing tokens. They are allowed and not reported again. */
  readonly known?: readonly (string | undefined)[];
  readonly signal?: AbortSignal | undefined;
}

/** Creates the guard for signing in to a server. The rules depend on whether the entry is the user's or a project's. */
export function guardFor(
  deps: AuthDeps,
  subject: Pick<AuthSubject, "name" | "url" | "entry">,
  { server, reach, known = [], signal }: GuardQuestion,
): Guard {
  const { http, clock } = deps.ports;
  return new Guard({ http, clock, server, reach, inside: insideRule(deps, subject, known), signal });
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
