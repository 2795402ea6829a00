import type { JsonObject, Problem, WaitOptions } from "../../model/index.ts";
import type { AuditEntry, AuditFilter, LoggedRun } from "../../state/index.ts";
import type { ServerTest } from "../lifecycle/test-server.ts";
import type { ToolInspection } from "../tools/inspect-tool.lazy.ts";
import type { CallPreview } from "../tools/preview-call.ts";
import type { ToolBudget } from "../tools/search-tools.ts";
import type { BrokenPackage } from "./check-packages.ts";
import type { Diagnosis, Finding } from "./diagnose.ts";
import type { WebRequest, WebResponse } from "./send-request.lazy.ts";
import type { UninstallOptions, UninstallPlan, UninstallResult } from "./uninstall.lazy.ts";

/** Checks and maintenance. */
export interface HostDoctor {
  /** Checks every config file and entry, and suggests fixes. Starts nothing. */
  diagnose(server?: string): Diagnosis;
  /**
   * Resolves the values that come from commands, stored secrets and files, for one server or for all that may run, and returns a
   * problem for each that is missing. Starts no server.
   */
  checkValues(server?: string, options?: WaitOptions): Promise<readonly Problem[]>;
  /**
   * Returns a finding for each local server whose program does not exist. For a project's server that is not approved, only a
   * command without a path is looked up. Runs nothing.
   */
  checkPrograms(server?: string, options?: WaitOptions): Promise<readonly Finding[]>;
  /** Returns packages that an interrupted installation left incomplete in npm's cache. Starts nothing. */
  checkPackages(server?: string, options?: WaitOptions): Promise<readonly BrokenPackage[]>;
  /** Removes incomplete packages, so that the next start installs them again. Returns the removed ones. */
  repairPackages(server?: string, options?: WaitOptions): Promise<readonly BrokenPackage[]>;
  /** Returns problems in the cached tool definitions of one server, or of all that may run. Does not connect. */
  checkTools(server?: string, options?: WaitOptions): Promise<readonly Problem[]>;
  /** Checks the vault: damaged entries, a missing key, files that other users can read. */
  checkVault(options?: WaitOptions): Promise<readonly Problem[]>;
  /** Returns the recent stderr output of a local server, and stdout lines that are not messages, oldest run first. */
  logs(server: string, options?: WaitOptions & { readonly lines?: number }): Promise<readonly LoggedRun[]>;
  /** Returns the last requests that clients sent to the gateway, oldest first. Starts nothing. */
  audit(filter?: AuditFilter, options?: WaitOptions): Promise<readonly AuditEntry[]>;
  /** Opens a new connection to a server and reports what it offers. */
  test(server: string, options?: WaitOptions): Promise<ServerTest>;
  /** Returns what a call would send, and the rule that decides whether it is allowed. Does not connect. */
  preview(server: string, tool: string, args?: JsonObject, options?: WaitOptions): Promise<CallPreview>;
  /**
   * Returns a tool's definition, the rule that applies to its calls, its cost, and what the definition check found. Connects if no
   * list is cached.
   */
  inspectTool(server: string, tool: string, options?: WaitOptions): Promise<ToolInspection>;
  /** Estimates what the tool definitions cost a model in tokens. With `connect: false`, only cached lists count. */
  budget(options?: WaitOptions & { readonly connect?: boolean }): Promise<ToolBudget>;
  /** Opens a web page in the user's browser, without a shell. Returns whether a browser was started. */
  openPage(url: string, options?: WaitOptions): Promise<boolean>;
  /**
   * Sends an HTTP request with the proxies of the environment, for example to a model. Does not follow redirects. Resolves for every
   * status. Rejects if there is no response.
   */
  request(url: string, request?: WebRequest): Promise<WebResponse>;
  /** Returns everything that Plugboard keeps on this machine for this user. Removes nothing. */
  planUninstall(options?: UninstallOptions & WaitOptions): Promise<UninstallPlan>;
  /**
   * Closes this host, then removes what the plan lists: state, cache, vault and keychain entry. Does not revoke tokens at
   * authorization servers: use `signIns.logout` first.
   */
  uninstall(plan: UninstallPlan, options?: WaitOptions): Promise<UninstallResult>;
}
