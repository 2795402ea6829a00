import type { Host } from "../../../index.ts";
import { fitSurface } from "../render/fit-surface.ts";
import { nextStep, STATE_TRAITS } from "../render/state.ts";

/** Why a list does not include a server. */
export interface Failure {
  readonly server: string;
  readonly message: string;
}

/** Returns the servers that are missing from a list of all servers, each with the reason. */
export function failuresOf(host: Host, program: string): Failure[] {
  return host.servers().flatMap(({ name, state, because = "" }): Failure[] => {
    const { isTrouble, needsPerson } = STATE_TRAITS[state];
    if (isTrouble) return [{ server: name, message: fitSurface(because, program) }];
    if (!needsPerson) return [];
    return [{ server: name, message: `needs your approval: ${nextStep({ name, state }, program)}` }];
  });
}
