import type { JsonObject } from "../json/json-value.ts";
import type { Problem } from "../problem.ts";
import type { ToolLists, ToolRules } from "../tools/tool-rules.ts";
import type { ExpansionRules } from "./expansion.ts";
import type { Launch, Transport } from "./launch.ts";
import type { OwnerProblemCode } from "./owner-problem.ts";
import type { Provenance } from "./provenance.ts";

export interface Position {
  readonly line: number;
  readonly column: number;
}

/** What the tool that owns a file would do with an entry. */
export interface OwnerVerdict {
  readonly valid: boolean;
  readonly problems: readonly OwnerProblemCode[];
}

/** A value that a person is asked for when the server starts. */
export interface InputRequest {
  readonly id: string;
  readonly type?: "string" | "pick" | "command";
  readonly secret?: boolean;
  readonly required?: boolean;
  readonly default?: string;
  readonly options?: readonly string[];
  readonly description?: string;
}

/** One entry of one file, in Plugboard's own field names, read by its owner's rules; not checked by ours yet. */
export interface ServerDeclaration {
  readonly name: string;
  /** Values as written: nothing expanded, nothing converted but units. */
  readonly fields: JsonObject;
  /** The entry as its file has it, in the owner's own words; left out if that is the same as `fields`. */
  readonly entry?: JsonObject;
  readonly provenance: Provenance;
  /** Another provider, switched on or not, reads the same entry, or at least the same file. It need not accept what it reads. */
  readonly sharedWithOthers?: "entry" | "file";
  /** Where a field stands in the file. Looked up on demand: most fields are never complained about. */
  positionOf(field: string): Position | undefined;
  /** What its owner calls a field, if the entry says it. */
  keyOf?(field: string): string | undefined;
  /** The row in the table of timeouts, if it is not the one of its provider. */
  readonly timeoutRules?: string;
  /** Where single fields came from, for tools that merge their files field by field. */
  readonly fieldSources?: Readonly<Record<string, Provenance>>;
  /** The transport its owner would use, and why; left out when that cannot be told. */
  readonly transport?: {
    readonly kind: Transport | "ws";
    readonly reason: string;
    readonly candidates?: readonly Transport[];
    /** Guessed, where its owner would rather be told. */
    readonly inferred?: true;
  };
  /** Off or on by a rule of its owner other than a field of ours. */
  readonly enabled?: { readonly value: boolean; readonly rule: string };
  readonly owner?: OwnerVerdict;
  readonly expansion: ExpansionRules;
  /** Tool lists that a program sets in place of those in the entry. They are not part of what the user approves. */
  readonly toolLists?: ToolLists;
  /** The project folder of a project's file, if the working folder is another one below it. Relative paths are meant from there. */
  readonly projectFolder?: string;
  readonly inputs?: readonly InputRequest[];
  /** It only says how a server can be run: it is off, and there to be imported. */
  readonly template?: true;
  /** What was already wrong with it when it was read. */
  readonly problems: readonly Problem[];
}

/** The file a field came from, and its place there. */
export function placeOfField(
  { provenance, positionOf, fieldSources }: ServerDeclaration,
  field: string,
): Pick<Provenance, "file" | "line" | "column"> {
  const own =
    fieldSources !== undefined && Object.hasOwn(fieldSources, field) ? fieldSources[field] : undefined;
  const { line, column } = own ?? positionOf(field) ?? provenance;
  return {
    file: (own ?? provenance).file,
    ...(line !== undefined && { line }),
    ...(column !== undefined && { column }),
  };
}

/** A declaration understood and checked. Without a `launch` it is invalid and `problems` says why. */
export interface ServerEntry {
  readonly name: string;
  readonly declaration: ServerDeclaration;
  readonly provenance: Provenance;
  readonly transport: Transport | undefined;
  /** Why that transport. */
  readonly transportReason: string;
  readonly launch: Launch | undefined;
  readonly enabled: boolean;
  /** The rule that made it enabled or disabled, for a person to read. */
  readonly enabledBy: string;
  readonly timeoutMs: number;
  /** The setting that the limit comes from, for people: `"timeout" in mcp.json:4:7`. */
  readonly timeoutSource: string;
  /** How long connecting may take, from the first step to the last. */
  readonly startupTimeoutMs: number;
  readonly startupTimeoutSource: string;
  /** How long a package runner may take to install the server's package before it is started. */
  readonly installTimeoutMs: number;
  readonly installTimeoutSource: string;
  readonly rules: ToolRules;
  /** Started with the host instead of by its first use. */
  readonly eager: boolean;
  /** The user's server runs the packages of the working folder. Without effect in a project's entry. */
  readonly resolveInProject: boolean;
  /** How long it may be unused before it is stopped; `undefined` means for ever. */
  readonly idleStopMs: number | undefined;
  /** How long its lists count as fresh. */
  readonly toolsTtlMs: number;
  /** `auto`, `legacy`, or the one revision that will do. */
  readonly protocol: string;
  readonly problems: readonly Problem[];
}

/** The entry that owns a name, and the entries it hides, in order of precedence. */
export interface Server extends ServerEntry {
  readonly shadowed: readonly ServerEntry[];
}
