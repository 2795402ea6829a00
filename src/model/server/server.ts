import type { JsonObject, JsonValue } from "../json/json-value.ts";
import type { Problem } from "../problem.ts";
import type { ToolLists, ToolRules } from "../tools/tool-rules.ts";
import type { ExpansionRules } from "./expansion.ts";
import type { InProcessSource } from "./in-process-source.ts";
import type { Launch, Transport } from "./launch.ts";
import type { OwnerProblemCode } from "./owner-problem.ts";
import type { Provenance } from "./provenance.ts";

/** A position in a file. Lines and columns start at 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** How the tool that owns a file would treat an entry. */
export interface OwnerVerdict {
  /** Whether the tool would accept the entry. */
  readonly valid: boolean;
  /** The tool's objections. */
  readonly problems: readonly OwnerProblemCode[];
}

/** A value that the user must provide when the server starts. */
export interface InputRequest {
  /** The id in `${input:id}`. */
  readonly id: string;
  /** How the value is entered: as text, by choosing one of `options`, or by a command of the editor. */
  readonly type?: "string" | "pick" | "command";
  /** Whether the value is secret. */
  readonly secret?: boolean;
  /** Whether the server needs the value. */
  readonly required?: boolean;
  /** The value to use if the user enters none. */
  readonly default?: string;
  /** The values to choose from, if `type` is `pick`. */
  readonly options?: readonly string[];
  /** What the value is for, for people. */
  readonly description?: string;
}

/** One entry of a config file, mapped to Plugboard's field names by its provider. Not validated yet. */
export interface ServerDeclaration {
  readonly name: string;
  /** The values as written. Placeholders are not expanded; only units are converted. */
  readonly fields: JsonObject;
  /** The entry as written, with the owner's field names. Omitted if it equals `fields`. */
  readonly entry?: JsonObject;
  /** Where the entry is defined. */
  readonly provenance: Provenance;
  /**
   * Set if another provider reads the same entry, or at least the same file. That provider may be disabled, and may
   * reject the entry.
   */
  readonly sharedWithOthers?: "entry" | "file";
  /** Returns the position of a field in the file. Computed on demand, because few fields have problems. */
  positionOf(field: string): Position | undefined;
  /** Returns the owner's name for a field, if the entry has the field. */
  keyOf?(field: string): string | undefined;
  /** The row of the timeout table to use, if it is not the provider's own row. */
  readonly timeoutRules?: string;
  /** The source of single fields, for tools that merge their files field by field. */
  readonly fieldSources?: Readonly<Record<string, Provenance>>;
  /** The transport that the owner would use. Omitted if it is unknown. */
  readonly transport?: {
    readonly kind: Transport | "ws";
    /** Why the owner would use it. */
    readonly reason: string;
    readonly candidates?: readonly Transport[];
    /** The transport was inferred, although the owner expects an explicit one. */
    readonly inferred?: true;
  };
  /** Set if a rule of the owner, other than a field of the entry, enables or disables the server. */
  readonly enabled?: { readonly value: boolean; readonly rule: string };
  /** How the owner would treat the entry. */
  readonly owner?: OwnerVerdict;
  /** The server or transport object of a server in the same process. Only a program can define one. */
  readonly inProcess?: InProcessSource;
  /** How placeholders in the entry are expanded. */
  readonly expansion: ExpansionRules;
  /** Tool lists that a program sets instead of those in the entry. They are not part of what the user approves. */
  readonly toolLists?: ToolLists;
  /** The project's folder, if the working folder is a subfolder of it. Relative paths are resolved from here. */
  readonly projectFolder?: string;
  /**
   * Set if the entry has a project's tier although its file belongs to no project: a file of the user that others could
   * have written.
   */
  readonly isOutsideProjects?: true;
  /** Values that the user must provide when the server starts. */
  readonly inputs?: readonly InputRequest[];
  /** The entry only describes how to run a server. It is disabled and can be imported. */
  readonly template?: true;
  /** Problems found while reading the entry. */
  readonly problems: readonly Problem[];
}

/** Returns the file that a field came from, and its position there. */
export function positionOfField(
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

/** A validated declaration. If `launch` is `undefined`, the entry is invalid and `problems` explains why. */
export interface ServerEntry {
  readonly name: string;
  /** The declaration that the entry was made from. */
  readonly declaration: ServerDeclaration;
  /** Where the entry is defined. */
  readonly provenance: Provenance;
  readonly transport: Transport | undefined;
  /** Why this transport is used, as readable text. */
  readonly transportReason: string;
  /** How to start or reach the server. `undefined` if the entry is invalid. */
  readonly launch: Launch | undefined;
  readonly enabled: boolean;
  /** The rule that enabled or disabled the server, as readable text. */
  readonly enabledBy: string;
  /** The time limit for a request. */
  readonly timeoutMs: number;
  /** The setting that the limit comes from, as readable text: `"timeout" in mcp.json:4:7`. */
  readonly timeoutSource: string;
  /** The time limit for connecting, including all steps. */
  readonly startupTimeoutMs: number;
  /** The setting that the startup limit comes from, as readable text. */
  readonly startupTimeoutSource: string;
  /** The time limit for a package runner to install the server's package before the server starts. */
  readonly installTimeoutMs: number;
  /** The setting that the install limit comes from, as readable text. */
  readonly installTimeoutSource: string;
  /** The rules for the use of the server's tools. */
  readonly rules: ToolRules;
  /** Whether the server starts with the host instead of on first use. */
  readonly eager: boolean;
  /** Whether a user's server may run packages from the working folder. Has no effect in a project's entry. */
  readonly resolveInProject: boolean;
  /** How long the server may be unused before it is stopped. `undefined` means that it is never stopped. */
  readonly idleStopMs: number | undefined;
  /** How much memory its processes may use while a daemon or gateway runs them, in MB. `undefined` means the default. */
  readonly maxMemoryMb: number | undefined;
  /** Who shares a connection to the server: all sessions of a person, or no one. */
  readonly share: "session" | "user" | undefined;
  /** How long the server's lists count as fresh. */
  readonly toolsTtlMs: number;
  /** `auto`, `legacy`, or the required protocol revision. */
  readonly protocol: string;
  /** The sandbox of the settings, if the launch uses it because its entry has neither `sandbox` nor `wrap`. */
  readonly defaultSandbox?: JsonValue;
  /** Problems found while reading and validating the entry. */
  readonly problems: readonly Problem[];
}

/** The entry that is used for a server name. */
export interface Server extends ServerEntry {
  /** Entries with the same name and lower precedence, in order of precedence. */
  readonly shadowed: readonly ServerEntry[];
}
