import type { Problem, WaitOptions } from "../../model/index.ts";
import type { LockDifference } from "../../supply/index.ts";
import type { WriteScope } from "../native-files/native-files.ts";

/** Options for `supply.lock` and `supply.verify`. */
export interface LockOptions extends WaitOptions {
  /** The project's servers, or all others. Default: `"project"`. */
  readonly scope?: WriteScope;
}

/** A lock file that was written. */
export interface WrittenLock {
  readonly file: string;
  /** The names of the locked servers. */
  readonly servers: readonly string[];
  /** Locked servers whose tools are not known, because no list is cached. */
  readonly withoutTools: readonly string[];
}

/** The result of comparing the current servers with a lock file. */
export interface LockCheck {
  readonly file: string;
  /** Whether the file exists, is valid, and matches. */
  readonly matches: boolean;
  readonly differences: readonly LockDifference[];
  /** What is wrong with the lock file itself. */
  readonly problems: readonly Problem[];
}

/** The supply chain: which packages, launches and tools were locked. Starts and contacts nothing. */
export interface HostSupply {
  /** Writes `mcp.lock.json`: launch, package, installed version and integrity, and the hashes of known tools. */
  lock(options?: LockOptions): Promise<WrittenLock>;
  /** Compares the current servers with `mcp.lock.json`. */
  verify(options?: LockOptions): Promise<LockCheck>;
}
