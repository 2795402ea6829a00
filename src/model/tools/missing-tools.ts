import type { HostErrorCode } from "../host-error.ts";

/**
 * A server whose tools were requested and are not known, because it is slow or failed. A session that names its servers also lists
 * those that do not exist or may not run.
 */
export interface MissingTools {
  /** The server's name. */
  readonly server: string;
  /** Why its tools could not be read. Absent while they are being read. */
  readonly because?: string;
  /** The code of the error. Absent while the tools are being read. */
  readonly errorCode?: HostErrorCode;
  /** How to resolve the error. */
  readonly hint?: string;
  /**
   * When the next request for tools tries again, as an ISO 8601 date and time. Absent while they are being read, and if trying again
   * does not help.
   */
  readonly nextTry?: string;
}
