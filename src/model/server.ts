import type { JsonObject } from "./json-value.ts";
import type { Launch, Transport } from "./launch.ts";
import type { Problem } from "./problem.ts";
import type { Provenance } from "./provenance.ts";

export interface Position {
  readonly line: number;
  readonly column: number;
}

/** One entry of one file, in Plugboard's own field names; nothing checked yet. */
export interface ServerDeclaration {
  readonly name: string;
  readonly fields: JsonObject;
  readonly provenance: Provenance;
  /** Where a field stands in the file. Looked up on demand: most fields are never complained about. */
  positionOf(field: string): Position | undefined;
  /** What was already wrong with it when it was read. */
  readonly problems: readonly Problem[];
}

/** A declaration understood and checked. Without a `launch` it is invalid and `problems` says why. */
export interface ServerEntry {
  readonly name: string;
  readonly declaration: ServerDeclaration;
  readonly provenance: Provenance;
  readonly transport: Transport | undefined;
  readonly launch: Launch | undefined;
  readonly enabled: boolean;
  /** The rule that made it enabled or disabled, for a person to read. */
  readonly enabledBy: string;
  readonly timeoutMs: number;
  readonly startupTimeoutMs: number;
  readonly problems: readonly Problem[];
}

/** The entry that owns a name, and the entries it hides, in order of precedence. */
export interface Server extends ServerEntry {
  readonly shadowed: readonly ServerEntry[];
}
