import type { Document } from "../documents/index.ts";
import type { JsonObject, ProblemCode, Scope, Tier } from "../model/index.ts";

/** Where to look. Facts only: providers read nothing themselves. */
export interface Where {
  readonly home: string;
  /** The working folder and its parents up to the root of the repository, nearest first. */
  readonly projectFolders: readonly string[];
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly userConfig: string;
}

/** One place a tool keeps servers in: the first of `paths` that exists is read. */
export interface SourceFile {
  readonly paths: readonly string[];
  readonly scope: Scope;
  readonly tier: Tier;
  /** A person named this very file, so its absence is a problem. */
  readonly named?: boolean;
}

/** An entry as a provider understands it: in Plugboard's field names, with the path to it in the document. */
export interface RawEntry {
  readonly name: string;
  readonly path: readonly string[];
  readonly fields: JsonObject;
}

export interface Complaint {
  readonly code: ProblemCode;
  readonly message: string;
  readonly path: readonly string[];
  readonly severity?: "error" | "warning";
}

export interface ParsedSource {
  readonly entries: readonly RawEntry[];
  readonly complaints: readonly Complaint[];
  /** Names a person switched off or on, whatever file they come from. Honoured in the user's own file only. */
  readonly switches?: Switches;
}

export interface Switches {
  readonly disabled: readonly string[];
  readonly enabled: readonly string[];
}

/** A product's config format: data and two pure functions. */
export interface DiscoveryProvider {
  readonly id: string;
  readonly label: string;
  /** Higher comes first. */
  readonly priority: number;
  files(where: Where): readonly SourceFile[];
  parse(document: Document): ParsedSource;
}
