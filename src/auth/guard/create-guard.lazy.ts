import { Guard, type GuardOptions } from "./guarded-fetch.ts";

/** Returns a `fetch` for URLs that an authorization server chooses. They may only lead to the public network or its own network. */
export function createGuardedFetch(options: GuardOptions): Guard["fetch"] {
  return new Guard(options).fetch;
}
