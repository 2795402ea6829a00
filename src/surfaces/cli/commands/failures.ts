import type { Host } from "../../../index.ts";
import { shellWord } from "../shell-word.ts";

/** Why nothing of a server is shown. */
export interface Failure {
  readonly server: string;
  readonly message: string;
}

/** The servers that were left out of a list of all, each with its reason. */
export function failuresOf(host: Host, program: string): Failure[] {
  return host.servers().flatMap(({ name, state, because = "" }): Failure[] => {
    if (["failed", "reconnecting", "needs_auth", "invalid"].includes(state))
      return [{ server: name, message: because }];
    if (state === "untrusted")
      return [{ server: name, message: `needs your approval: ${program} trust ${shellWord(name)}` }];
    return [];
  });
}
