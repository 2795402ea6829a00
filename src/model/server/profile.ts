import type { Provenance } from "./provenance.ts";

/** A named set of servers. While it is in use, the other servers are off. */
export interface Profile {
  /** The name of the profile. */
  readonly name: string;
  /** The names of its servers. */
  readonly servers: readonly string[];
  /** Whether it is in use in the working folder. */
  readonly active: boolean;
  /** Where it is defined. A project's profile applies to the project's servers only. */
  readonly source: Provenance;
}
