import { SERVER_FIELDS } from "../../inventory/index.ts";
import {
  HostError,
  type InputRequest,
  isJsonObject,
  isList,
  type JsonObject,
  type JsonValue,
  messageOf,
  nearest,
  type ServerEntry,
} from "../../model/index.ts";
import { findLiteralSecrets, type LiteralSecret, toPlainValue } from "../../values/index.ts";
import { requiresApproval } from "../approvals/approve-server.ts";
import { recordedSandbox } from "../approvals/chosen-sandbox.ts";
import type { Workspace } from "../workspace.ts";
import { addServer, type WrittenServer } from "./add-server.ts";
import { assertOwnParts, CarryOver, lostProtection, namedHeaders } from "./carry-over.ts";
import { moveSecrets } from "./move-secrets.ts";
import type { WriteScope } from "./native-files.ts";
import { rootOfEntry } from "./rebase-paths.ts";

/** Servers to copy from another tool's config into a native file. */
export interface ImportRequest {
  /** The provider id of the other tool, such as `cursor`. */
  readonly tool: string;
  /** The names of the servers to copy. Default: all of the tool's servers. */
  readonly names?: readonly string[];
  /** The native file to write to: the project's or the user's. */
  readonly scope: WriteScope;
  /**
   * What to do with secrets in plain text: `"refuse"` skips the server, `"vault"` moves the secrets to the vault, and `"plain"`
   * copies them unchanged. Default: `"refuse"`.
   */
  readonly secrets?: "refuse" | "vault" | "plain";
}

/** A server that was copied. */
export interface ImportedServer extends WrittenServer {
  /** The sandbox that a person had chosen for the original. The copy has it in its entry. */
  readonly sandbox?: JsonValue;
  /** The names of the secrets that were stored in the vault for this server. */
  readonly secrets?: readonly string[];
  /** The environment variables that supply a template's inputs. Set them before you use the server. */
  readonly variables?: readonly string[];
}

/** A server that was not copied. */
export interface SkippedServer {
  /** The server's name in the other tool's config. */
  readonly name: string;
  /** Why it was not copied. */
  readonly reason: string;
  /** The fields that contain a secret in plain text, if that is the reason. `movable`: whether the vault can hold all of them. */
  readonly secrets?: { readonly fields: readonly string[]; readonly movable: boolean };
}

/** The outcome of an import. */
export interface ImportResult {
  /** Servers that were copied. */
  readonly written: readonly ImportedServer[];
  /** Servers that were not copied, with the reasons. */
  readonly skipped: readonly SkippedServer[];
}

/** Texts for people, and tool names. They are not expanded, and these names have another meaning in other tools. */
const PLAIN_FIELDS = ["label", "description", "bundles"];

/**
 * Copies another tool's servers into a native file. Skips names that are taken, entries that cannot be used or converted, and a
 * project's entries that are not approved. Each skipped server has a reason.
 */
export async function importServers(
  workspace: Workspace,
  { tool, names, scope, secrets = "refuse" }: ImportRequest,
): Promise<ImportResult> {
  const found = entriesOf(workspace, tool);
  if (found.size === 0) {
    const tools = [
      ...new Set([...workspace.inventory().servers.values()].map(({ provenance }) => provenance.tool)),
    ];
    const close = nearest(tool, tools);
    throw new HostError("SERVER_UNKNOWN", `No servers of "${tool}" were found.`, {
      hint: close === undefined ? `Found: ${tools.join(", ") || "nothing"}.` : `Did you mean "${close}"?`,
    });
  }
  const written: ImportedServer[] = [];
  const skipped: SkippedServer[] = [];
  for (const name of names ?? found.keys()) {
    try {
      const entry = found.get(name);
      const fields = nativeFields(workspace, entry);
      if (entry !== undefined) await assertOwnParts(workspace, entry, scope);
      const rules = entry?.declaration.expansion ?? {};
      const literals = secrets === "plain" ? [] : findLiteralSecrets(fields, rules);
      const fixed = literals.filter(({ member }) => member === undefined);
      const blocking = secrets === "vault" ? fixed : literals;
      if (blocking.length > 0) {
        skipped.push({
          name,
          reason: `${inWords(blocking)} in plain text`,
          secrets: { fields: literals.map(({ field }) => field), movable: fixed.length === 0 },
        });
        continue;
      }
      const target = entry === undefined ? name : nativeName(entry);
      const moved = await moveSecrets(workspace.stores.secrets, target, fields, literals);
      try {
        const from = entry && rootOfEntry(entry, workspace.environment);
        const fitted = entry === undefined ? moved.fields : withPlainValues(workspace, entry, moved.fields);
        const sandbox = entry && recordedSandbox(entry, workspace.inventory().approvals);
        const server = sandbox === undefined ? fitted : { ...fitted, sandbox };
        const added = await addServer(workspace, { name: target, server, scope }, { from, isCarried: true });
        const variables = answersIn(entry, server);
        written.push({
          ...added,
          ...(sandbox !== undefined && { sandbox }),
          ...(moved.stored.length > 0 && { secrets: moved.stored }),
          ...(variables.length > 0 && { variables }),
        });
      } catch (error) {
        await moved.undo();
        throw error;
      }
    } catch (error) {
      skipped.push({ name, reason: messageOf(error) });
    }
  }
  return { written, skipped };
}

function inWords(secrets: readonly LiteralSecret[]): string {
  const fields = secrets.map(({ field }) => field);
  return fields.length === 1 ? `${fields[0]} is a secret` : `${fields.join(", ")} are secrets`;
}

/** Registry names begin with a domain: `io.github.acme/weather`. */
function nativeName({ name, declaration }: ServerEntry): string {
  return declaration.template === true ? name.slice(name.lastIndexOf("/") + 1) : name;
}

const ANSWER_PREFIX = "MCP_";

/** Returns the variables that supply a template's inputs. */
function answersIn(entry: ServerEntry | undefined, fields: JsonObject): string[] {
  if (entry?.declaration.template !== true) return [];
  const found = JSON.stringify(fields).matchAll(/\$\{(MCP_[A-Z0-9_]+)\}/g);
  return [...new Set([...found].map(([, name = ""]) => name))];
}

function entriesOf({ inventory }: Workspace, tool: string): Map<string, ServerEntry> {
  const all = [...inventory().servers.values()].flatMap((server): ServerEntry[] => [
    server,
    ...server.shadowed,
  ]);
  const byName = new Map<string, ServerEntry>();
  for (const entry of all.filter(({ provenance }) => provenance.tool === tool)) {
    if (!byName.has(entry.name)) byName.set(entry.name, entry);
  }
  return byName;
}

function nativeFields({ inventory }: Workspace, entry: ServerEntry | undefined): JsonObject {
  if (entry === undefined) throw new Error("there is no server with this name");
  if (entry.launch === undefined) throw new Error("its entry cannot be used");
  // A copy counts as the user's own, so it must be approved first.
  if (requiresApproval(entry, inventory().approvals)) throw new Error("it requires your approval");
  const { declaration, launch, enabled, timeoutMs, startupTimeoutMs } = entry;
  if (launch.transport === "in-process") throw new Error("it exists only in this program");
  const carried = new CarryOver(entry, { isForNativeFile: true });
  const fields: Record<string, JsonValue> = { type: launch.transport };
  for (const field of SERVER_FIELDS) {
    const value = declaration.fields[field];
    if (value === undefined || field === "type" || field === "enabled") continue;
    if (!PLAIN_FIELDS.includes(field)) fields[field] = nativeValue(value, carried, field);
    else if (declaration.owner === undefined) fields[field] = value;
  }
  // `trust` has another meaning in other tools.
  const lost = lostProtection(declaration.entry, (field) => field in fields || field === "trust");
  if (lost !== undefined)
    carried.refuse(
      `its "${lost}" has no effect in a file of ${declaration.provenance.tool}, and a copy would not have it`,
    );
  if (carried.reason !== undefined) throw new Error(carried.reason);
  // In a native file, a limit for calls would also apply to connecting.
  if (fields["timeout"] !== undefined && startupTimeoutMs !== timeoutMs)
    fields["startupTimeout"] ??= startupTimeoutMs;
  if (launch.transport === "stdio") {
    const { command, cwd } = fields;
    if (typeof command === "string")
      Object.assign(fields, carried.paths({ command, cwd: typeof cwd === "string" ? cwd : undefined }));
  } else if (launch.headersFromEnv !== undefined) {
    fields["headers"] = { ...(fields["headers"] as JsonObject | undefined), ...namedHeaders(launch) };
  }
  if (declaration.template === true) return answered(nativeName(entry), fields, declaration.inputs ?? []);
  return enabled ? fields : { ...fields, enabled };
}

/**
 * Returns a template's fields with a variable in place of each input. Ignores default values, because they were not shown for
 * approval. The prefix keeps a template from reading the user's existing variables.
 */
function answered(server: string, fields: JsonObject, inputs: readonly InputRequest[]): JsonObject {
  const ids = new Set(inputs.map(({ id }) => id));
  const variable = (id: string): string =>
    `\${${`${ANSWER_PREFIX}${server}_${id}`.toUpperCase().replaceAll(/[^A-Z0-9_]/g, "_")}}`;
  const fill = (value: JsonValue, key = ""): JsonValue => {
    if (typeof value === "string") {
      if (value === "" && ids.has(key)) return variable(key);
      return value.replaceAll(/\{([^{}]+)\}/g, (whole, id: string) => (ids.has(id) ? variable(id) : whole));
    }
    if (isList(value)) return value.map((item) => fill(item));
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, fill(item, name)]));
  };
  return fill(fields) as JsonObject;
}

/** Returns a value with its placeholders in native syntax. */
function nativeValue(value: JsonValue, carried: CarryOver, field: string): JsonValue {
  if (typeof value === "string") return carried.text(field, value);
  if (isList(value)) return value.map((item) => nativeValue(item, carried, field));
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).map(
    ([key, member]) => [key, nativeValue(member, carried, `${field}.${key}`)] as const,
  );
  return Object.fromEntries(members);
}

/** Escapes values that are plain text in the other tool but would name a variable in a native file. */
function withPlainValues(
  { environment: { variables } }: Workspace,
  { declaration }: ServerEntry,
  fields: JsonObject,
): JsonObject {
  if (declaration.expansion.secretValues === true) return fields;
  const maps = ["env", "headers"].flatMap((field) => {
    const map = fields[field];
    if (!isJsonObject(map)) return [];
    const members = Object.entries(map).map(
      ([key, value]) => [key, typeof value === "string" ? toPlainValue(value, variables) : value] as const,
    );
    return [[field, Object.fromEntries(members)] as const];
  });
  return { ...fields, ...Object.fromEntries(maps) };
}
