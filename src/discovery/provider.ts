import type { Document, DocumentFormat, Path } from "../documents/index.ts";
import type {
  ExpansionRules,
  InputRequest,
  JsonObject,
  JsonValue,
  OwnerVerdict,
  Position,
  ProblemCode,
  Profile,
  Scope,
  ServerDeclaration,
  Tier,
} from "../model/index.ts";

/** How many more servers may be read, and whether a problem already reports the limit. */
export interface ServerQuota {
  left: number;
  isExceeded: boolean;
}

/**
 * How the home folder relates to the project. `apart`: outside the project. `account`: inside the project, and the
 * account's own home. `repository`: another folder inside the repository. `workingFolder`: the working folder outside
 * a repository, and not the account's own home. `none`: there is no home folder.
 */
export type HomeKind = "apart" | "account" | "repository" | "workingFolder" | "none";

/** The paths and variables that determine where config files are. Providers read nothing else. */
export interface Where {
  readonly platform: string;
  /** A path that cannot exist if there is no home folder. */
  readonly home: string;
  readonly homeKind: HomeKind;
  readonly cwd: string;
  /** The working folder and its parents up to the repository root, nearest first. */
  readonly projectFolders: readonly string[];
  /** The working folder and all its parents, nearest first. */
  readonly ancestors: readonly string[];
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Paths that depend on the working folder because a variable contains a relative path. Filled by `pathIn`. */
  readonly relativePaths: Set<string>;
  /** Plugboard's own user file. */
  readonly userConfig: string;
  /** `$XDG_CONFIG_HOME` or `~/.config`, also on macOS; `%APPDATA%` on Windows. */
  readonly configHome: string;
  /** The folder for application data: `~/.config`, `~/Library/Application Support`, `%APPDATA%`. */
  readonly appData: string;
  /** Joins path segments with the platform's separator. */
  join(...parts: readonly string[]): string;
}

/** A location of a config file. `*` in a path matches any name. */
export interface SourceFile {
  /** Candidate paths, nearest or strongest first. */
  readonly paths: readonly string[];
  /** Whether all existing paths are read, instead of only the first. */
  readonly all?: boolean;
  readonly scope: Scope;
  readonly tier: Tier;
  /** Derived from the file extension if omitted. */
  readonly format?: DocumentFormat | "text";
  /** The kind of file, for providers that have several. */
  readonly role?: string;
  /** The user explicitly configured this file, so it is a problem if it does not exist. */
  readonly named?: boolean;
}

/** A file that exists and was parsed. */
export interface SourceDocument {
  readonly file: string;
  readonly scope: Scope;
  readonly tier: Tier;
  readonly role: string | undefined;
  readonly document: Document;
  readonly value: JsonValue;
  /** How many servers may be read from the project files of one tool. Shared between these files. */
  readonly quota?: ServerQuota;
  /** A project's link points to it, so messages must not quote it. */
  readonly isLink?: true;
  /** The text itself, for owners that are stricter than our parser. */
  readonly text: string;
}

/** An entry as its owner reads it, with Plugboard's field names, and its path in the document. */
export interface RawEntry
  extends Pick<ServerDeclaration, "name" | "fields" | "transport" | "enabled" | "expansion">,
    Partial<
      Pick<
        ServerDeclaration,
        "fieldSources" | "template" | "timeoutRules" | "projectFolder" | "isOutsideProjects"
      >
    > {
  readonly source: SourceDocument;
  readonly path: Path;
  /** The entry as written, if it differs from the value at `path` because several files were merged. */
  readonly entry?: JsonObject;
  readonly owner?: OwnerVerdict;
  readonly inputs?: readonly InputRequest[];
  /** Overrides the file's scope, for files that contain several scopes. */
  readonly scope?: Scope;
}

export interface Complaint {
  readonly source: SourceDocument;
  readonly path: Path;
  /** The position, if it is not the one of `path`. */
  readonly at?: Position | undefined;
  readonly code: ProblemCode;
  readonly message: string;
  readonly severity?: "error" | "warning";
}

/** What a provider found in its files, ordered by precedence. */
export interface ProviderReading {
  readonly entries: readonly RawEntry[];
  readonly complaints?: readonly Complaint[];
  /** Servers that the user enabled or disabled by name. Only supported in the user's own file. */
  readonly switches?: Switches;
  /** The user's servers that may use packages from the working folder. Only supported in the user's own file. */
  readonly resolveInProject?: readonly string[];
  readonly bundles?: readonly RawBundle[];
  /** The named sets of servers, and which one is in use. Only in native files. */
  readonly profiles?: readonly Profile[];
}

/** A named subset of a server's tools, as written in the file. */
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

/** Reads the config files of one tool: data and pure functions. */
export interface DiscoveryProvider {
  readonly id: string;
  readonly label: string;
  /** Higher values come first. Ties are broken by id. */
  readonly priority: number;
  files(where: Where): readonly SourceFile[];
  /** Returns files that only the first files reveal, such as those of installed plugins. */
  furtherFiles?(documents: readonly SourceDocument[], where: Where): readonly SourceFile[];
  /** Receives all parsed documents in the order of `files`. */
  read(documents: readonly SourceDocument[], where: Where): ProviderReading;
}

/** An entry as mapped by a provider. `readServerMap` adds the rest. */
export type MappedEntry = Omit<RawEntry, "name" | "source" | "path" | "expansion"> & {
  readonly name?: string;
  readonly fields: JsonObject;
  readonly expansion?: ExpansionRules;
};
