import type { Document, DocumentFormat, Path } from "../documents/index.ts";
import type {
  ExpansionRules,
  InputRequest,
  JsonObject,
  JsonValue,
  OwnerVerdict,
  ProblemCode,
  Scope,
  ServerDeclaration,
  Tier,
} from "../model/index.ts";

/** How many servers may still be read, and whether a problem says that there are more. */
export interface ServerQuota {
  left: number;
  isExceeded: boolean;
}

/**
 * How the home folder relates to the project. `apart`: the project does not contain it. `account`: the project contains it,
 * and it is the account's own. `repository`: another folder inside the repository. `workingFolder`: the working folder
 * outside a repository, and not the account's own. `none`: there is no home folder.
 */
export type HomeKind = "apart" | "account" | "repository" | "workingFolder" | "none";

/** Where to look. Facts only: providers read nothing themselves. */
export interface Where {
  readonly platform: string;
  /** A place that cannot exist if there is no home folder. */
  readonly home: string;
  readonly homeKind: HomeKind;
  readonly cwd: string;
  /** The working folder and its parents up to the root of the repository, nearest first. */
  readonly projectFolders: readonly string[];
  /** The working folder and all its parents, nearest first. */
  readonly ancestors: readonly string[];
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Paths that change with the working folder, because a variable names them relatively. `pathIn` adds to it. */
  readonly relativePaths: Set<string>;
  /** Plugboard's own user file. */
  readonly userConfig: string;
  /** `$XDG_CONFIG_HOME` or `~/.config`, also on macOS; `%APPDATA%` on Windows. */
  readonly configHome: string;
  /** Where applications keep their data: `~/.config`, `~/Library/Application Support`, `%APPDATA%`. */
  readonly appData: string;
  /** Joins in the manner of the platform. */
  join(...parts: readonly string[]): string;
}

/** One place a tool keeps something in. A path may have `*` for any one name. */
export interface SourceFile {
  /** Nearest or strongest first. */
  readonly paths: readonly string[];
  /** Every path that exists is read, not only the first. */
  readonly all?: boolean;
  readonly scope: Scope;
  readonly tier: Tier;
  /** Told by the file's ending when left out. */
  readonly format?: DocumentFormat | "text";
  /** What the provider calls this kind of file, where it has several. */
  readonly role?: string;
  /** A person named this very file, so its absence is a problem. */
  readonly named?: boolean;
}

/** A file that was there and could be parsed. */
export interface SourceDocument {
  readonly file: string;
  readonly scope: Scope;
  readonly tier: Tier;
  readonly role: string | undefined;
  readonly document: Document;
  readonly value: JsonValue;
  /** How many servers are read from a project's files of one tool; shared by these files. */
  readonly quota?: ServerQuota;
  /** A stranger's link leads to it: nothing of it may be quoted. */
  readonly isLink?: true;
  /** The text itself, for owners that are stricter than our parser. */
  readonly text: string;
}

/** An entry as its owner understands it, in Plugboard's field names, and the way to it in its document. */
export interface RawEntry
  extends Pick<ServerDeclaration, "name" | "fields" | "transport" | "enabled" | "expansion">,
    Partial<Pick<ServerDeclaration, "fieldSources" | "template" | "timeoutRules" | "projectFolder">> {
  readonly source: SourceDocument;
  readonly path: Path;
  /** The entry as written, if it is not what stands at `path` because several files were merged. */
  readonly entry?: JsonObject;
  readonly owner?: OwnerVerdict;
  readonly inputs?: readonly InputRequest[];
  /** Overrides the scope of its file, for files that hold several. */
  readonly scope?: Scope;
}

export interface Complaint {
  readonly source: SourceDocument;
  readonly path: Path;
  readonly code: ProblemCode;
  readonly message: string;
  readonly severity?: "error" | "warning";
}

/** What a provider made of its files, first in precedence first. */
export interface ProviderReading {
  readonly entries: readonly RawEntry[];
  readonly complaints?: readonly Complaint[];
  /** Names a person switched off or on, whatever file they come from. Honoured in the user's own file only. */
  readonly switches?: Switches;
  /** Names of the user's servers that run the packages of the working folder. Honoured in the user's own file only. */
  readonly resolveInProject?: readonly string[];
  readonly bundles?: readonly RawBundle[];
}

/** A named share of a server's tools, as its file has it. */
export interface RawBundle {
  readonly id: string;
  readonly source: SourceDocument;
  readonly path: Path;
  readonly value: JsonValue;
}

export interface Switches {
  readonly disabled: readonly string[];
  readonly enabled: readonly string[];
}

/** A product's config format: data and pure functions. */
export interface DiscoveryProvider {
  readonly id: string;
  readonly label: string;
  /** Higher comes first; ties by id. */
  readonly priority: number;
  files(where: Where): readonly SourceFile[];
  /** Files that only the first ones can name, such as those of installed plugins. */
  furtherFiles?(documents: readonly SourceDocument[], where: Where): readonly SourceFile[];
  /** Gets every document that parsed, in the order of `files`. */
  read(documents: readonly SourceDocument[], where: Where): ProviderReading;
}

/** What a provider says of one entry; the rest is added by `readServerMap`. */
export type MappedEntry = Omit<RawEntry, "name" | "source" | "path" | "expansion"> & {
  readonly name?: string;
  readonly fields: JsonObject;
  readonly expansion?: ExpansionRules;
};
