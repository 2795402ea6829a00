import type { Problem, WaitOptions } from "../../model/index.ts";
import type { ToolDifference } from "../../policy/index.ts";
import type { LockDifference } from "../../supply/index.ts";
import type { ServerView } from "../describe/describe-server.ts";
import type { EditedServer } from "../native-files/edit-server.lazy.ts";
import type { WriteScope } from "../native-files/native-files.ts";

/** Options for `supply.lock` and `supply.verify`. */
export interface LockOptions extends WaitOptions {
  /** The project's servers, or all others. Default: `"project"`. */
  readonly scope?: WriteScope;
}

/** A lock file that was written. */
export interface WrittenLock {
  /** The path of the lock file. */
  readonly file: string;
  /** The names of the locked servers. */
  readonly servers: readonly string[];
  /** Locked servers whose tools are not known, because no list is cached. */
  readonly withoutTools: readonly string[];
}

/** The result of comparing the current servers with a lock file. */
export interface LockCheck {
  /** The path of the lock file. */
  readonly file: string;
  /** Whether the file exists, is valid, and matches. */
  readonly matches: boolean;
  /** The differences between the file and the current servers. */
  readonly differences: readonly LockDifference[];
  /** Problems with the lock file itself. */
  readonly problems: readonly Problem[];
}

/** Options for `supply.outdated`. */
export interface UpdateOptions extends WaitOptions {
  /** One server. Default: all that may run. */
  readonly server?: string;
}

/** A server's package, and its newest version. Texts of the package index are not safe to print. */
export interface PackageUpdate {
  /** The server's name. */
  readonly server: string;
  /** `npm`, `PyPI` or `oci`. */
  readonly ecosystem: string;
  /** The package's name. */
  readonly package: string;
  /** The version, range or tag in the entry. */
  readonly version?: string;
  /** The newest released version. */
  readonly latest?: string;
  /** `unpinned`: the entry has no exact version, so the package runner chooses one. `unknown`: see `reason`. */
  readonly state: "current" | "outdated" | "unpinned" | "unknown";
  /** Why the newest version is not known. */
  readonly reason?: string;
  /** Whether the package index could not be reached. */
  readonly failed?: boolean;
  /** Why the publisher advises against the entry's version. */
  readonly deprecated?: string;
}

/** A version of a server's package. */
export interface UpgradeRequest extends WaitOptions {
  /** The server whose package to upgrade. */
  readonly server: string;
  /** The exact version to write to the entry. */
  readonly version: string;
}

/** The local advisories about malicious packages. */
export interface AdvisoryStatus {
  /** When they were fetched (ISO 8601). */
  readonly fetchedAt: string;
  /** Where they come from, without a query. */
  readonly source: string;
  /** How many there are about npm and PyPI packages. */
  readonly advisories: number;
}

/** Options for `supply.updateAdvisories`. */
export interface UpdateAdvisoriesOptions extends WaitOptions {
  /** A file, or an https URL. Default: `advisories` in the settings. */
  readonly from?: string | undefined;
}

/** A package, as it is installed or as an entry names it. */
export interface InventoryPackage {
  /** `npm`, `PyPI` or `oci`. */
  readonly ecosystem: string;
  /** The package's name. */
  readonly name: string;
  /** The installed version; otherwise the version, range or tag in the entry. */
  readonly version?: string;
  /** The registry's integrity of the installed package. */
  readonly integrity?: string;
  /** When the version was published (ISO 8601), if the registry says so. */
  readonly publishedAt?: string;
  /** The type of the provenance attestation in the registry. Plugboard does not verify it. */
  readonly provenance?: string;
}

/** One entry of one config file. Secrets are masked. */
export interface InventoryItem
  extends Pick<
    ServerView,
    "name" | "source" | "tier" | "state" | "enabled" | "transport" | "command" | "args" | "url"
  > {
  /** Whether this entry is the one that is used for its name. */
  readonly isUsed: boolean;
  /** What the sandbox of a local server allows, or `none`. */
  readonly sandbox?: string;
  /** Packages and images without an exact version. */
  readonly unpinned?: readonly string[];
  /** The package of a local server. */
  readonly package?: InventoryPackage;
  /** The other packages that npm installed for it. */
  readonly dependencies?: readonly InventoryPackage[];
}

/** Every server that any tool's config files define in one folder and for the user. */
export interface ServerInventory {
  /** The servers, including entries that are not used. */
  readonly servers: readonly InventoryItem[];
  /** Other folders with a config file whose servers were approved. Their servers are not included. */
  readonly elsewhere: readonly string[];
}

/** The supply chain: which packages, launches and tools were locked, and which packages have newer versions. */
export interface HostSupply {
  /** Asks npm's registry or the Python index that the package runner uses for newer versions. Starts nothing. */
  outdated(options?: UpdateOptions): Promise<readonly PackageUpdate[]>;
  /** Starts another version of a server once, which may install it, and compares its tools with the current ones. Writes nothing. */
  compareTools(request: UpgradeRequest): Promise<readonly ToolDifference[]>;
  /** Changes the version in the server's entry, which must be in a native file. `dryRun` writes nothing. */
  upgrade(request: UpgradeRequest & { readonly dryRun?: boolean }): Promise<EditedServer>;
  /** Writes `mcp.lock.json`: launch, package, installed version and integrity, and the hashes of known tools. Starts nothing. */
  lock(options?: LockOptions): Promise<WrittenLock>;
  /** Compares the current servers with `mcp.lock.json`. Starts nothing. */
  verify(options?: LockOptions): Promise<LockCheck>;
  /** Lists every server that any tool's config files define, with its packages and its sandbox. Starts nothing. */
  inventory(options?: WaitOptions): Promise<ServerInventory>;
  /** Returns what is known about malicious packages on this machine; `undefined` if advisories were never fetched. */
  advisories(options?: WaitOptions): Promise<AdvisoryStatus | undefined>;
  /** Fetches advisories in OSV format and replaces the local ones. */
  updateAdvisories(options?: UpdateAdvisoriesOptions): Promise<AdvisoryStatus>;
}
