import type { Settings } from "../../config/index.ts";
import type { Bundle, InputRequest, JsonObject, Profile, WaitOptions } from "../../model/index.ts";
import type { ServerExplanation } from "../describe/explain-server.ts";
import type { ExportResult } from "../export/apply-export.lazy.ts";
import type { ExportPlan, ExportRequest } from "../export/export-servers.lazy.ts";
import type { AddRequest, WrittenServer } from "./add-server.ts";
import type { EditedServer, EditRequest } from "./edit-server.lazy.ts";
import type { ImportRequest, ImportResult } from "./import-servers.ts";
import type { WriteScope } from "./native-files.ts";
import type { SwitchedServer } from "./set-server-enabled.ts";
import type { UsedProfile, UseProfileRequest } from "./use-profile.lazy.ts";

/** An MCP bundle (`.mcpb`): a ZIP file with a server and its manifest. Texts are safe to print on one line. */
export interface McpbFile {
  /** The bundle's name. */
  readonly name: string;
  /** The bundle's version. */
  readonly version: string;
  /** What the server does, in the publisher's words. */
  readonly description: string;
  /** The hash of the file. */
  readonly sha256: string;
  /** Where it will be unpacked. */
  readonly folder: string;
  /** The number and total size of its files. */
  readonly files: number;
  /** The total size of its files in bytes. */
  readonly bytes: number;
  /** The native entry, with defaults filled in. `{id}` stands for an input. */
  readonly server: JsonObject;
  /** The values that a person can provide. */
  readonly inputs: readonly InputRequest[];
}

/** Config files: reading, explaining and changing them. */
export interface HostConfig {
  /** Returns the effective settings: the program's own, else those in the settings file, else the defaults. */
  settings(): Settings;
  /** Returns all bundles (named subsets of a server's tools), highest precedence first. */
  bundles(): readonly Bundle[];
  /** Returns all profiles (named sets of servers), and which one is in use. */
  profiles(): readonly Profile[];
  /** Changes which profile is in use. Writes only the user's own config file; running hosts that watch it follow. */
  useProfile(request: UseProfileRequest, options?: WaitOptions): Promise<UsedProfile>;
  /** Writes the default model of the chat to the settings, as `provider/model`. Returns the file. */
  rememberModel(model: string, options?: WaitOptions): Promise<string>;
  /** Validates a name for a new server. Returns an error message, or `undefined` if the name is valid. */
  checkName(name: string): string | undefined;
  /** Writes a server to a native config file, which also approves it. Does not connect. */
  add(request: AddRequest, options?: WaitOptions): Promise<WrittenServer>;
  /**
   * Changes fields of a server's entry in a native config file, and keeps comments. An approved entry stays approved. Rejects if the
   * result would be invalid.
   */
  edit(request: EditRequest, options?: WaitOptions): Promise<EditedServer>;
  /** Reads the manifest of an MCP bundle. Unpacks and starts nothing. */
  readMcpb(file: string, options?: WaitOptions): Promise<McpbFile>;
  /** Unpacks an MCP bundle into the state folder. Rejects if the file no longer has this hash. */
  unpackMcpb(file: string, sha256: string, options?: WaitOptions): Promise<{ readonly folder: string }>;
  /** Removes a server from its native config file. */
  remove(server: string, scope?: WriteScope, options?: WaitOptions): Promise<WrittenServer>;
  /** Enables or disables a server: in its entry if the file is native, else in a list in the user's own file. */
  setEnabled(server: string, enabled: boolean, options?: WaitOptions): Promise<SwitchedServer>;
  /** Moves a server to the native config file of another scope. */
  move(server: string, scope: WriteScope, options?: WaitOptions): Promise<WrittenServer>;
  /** Copies servers from another tool's config into a native file. */
  importFrom(request: ImportRequest, options?: WaitOptions): Promise<ImportResult>;
  /** Returns the changes that exporting servers to another tool's config would make, without writing them. */
  planExport(request: ExportRequest, options?: WaitOptions): Promise<ExportPlan>;
  /** Applies an export plan after a backup. Rejects if the file has changed since the plan was made. */
  applyExport(plan: ExportPlan, options?: WaitOptions): Promise<ExportResult>;
  /** Explains a server field by field, with the source of each value. Starts nothing. */
  explain(server: string, options?: WaitOptions): Promise<ServerExplanation>;
  /**
   * Reloads when a config file, the settings or the approvals change. Returns a function that stops watching; `close()` stops it
   * too.
   */
  watch(): () => void;
}
