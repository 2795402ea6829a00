import {
  HostError,
  type JsonObject,
  type JsonValue,
  messageOf,
  nearest,
  type ServerEntry,
} from "../model/index.ts";
import { toNativePlaceholders } from "../values/index.ts";
import { addServer, type WrittenServer } from "./add-server.ts";
import type { WriteScope } from "./native-files.ts";
import type { Workspace } from "./workspace.ts";

export interface ImportRequest {
  /** Provider id, e.g. `cursor`. */
  readonly tool: string;
  /** Only these; all of the tool's when left out. */
  readonly names?: readonly string[];
  readonly scope: WriteScope;
}

export interface ImportResult {
  readonly written: readonly WrittenServer[];
  readonly skipped: readonly { readonly name: string; readonly reason: string }[];
}

/** Fields that the native format has; what else a tool says has no meaning here. */
const NATIVE_FIELDS = [
  ..."type command args env envFile cwd url headers enabled timeout startupTimeout allowTools denyTools".split(
    " ",
  ),
  ..."inheritEnv oauth auth authProviderId trust".split(" "),
];

/** Copies servers of another tool into a native file. Names that are taken and entries that cannot be used are skipped. */
export async function importServers(
  workspace: Workspace,
  { tool, names, scope }: ImportRequest,
): Promise<ImportResult> {
  const found = entriesOf(workspace, tool);
  if (found.length === 0) {
    const tools = [
      ...new Set([...workspace.inventory().servers.values()].map(({ provenance }) => provenance.tool)),
    ];
    const close = nearest(tool, tools);
    throw new HostError("SERVER_UNKNOWN", `No servers of "${tool}" were found.`, {
      hint: close === undefined ? `Found: ${tools.join(", ") || "nothing"}.` : `Did you mean "${close}"?`,
    });
  }
  const written: WrittenServer[] = [];
  const skipped: { name: string; reason: string }[] = [];
  for (const entry of found.filter(({ name }) => names === undefined || names.includes(name))) {
    try {
      if (entry.launch === undefined) throw new Error("its entry cannot be used");
      written.push(await addServer(workspace, { name: entry.name, server: nativeFields(entry), scope }));
    } catch (error) {
      skipped.push({ name: entry.name, reason: messageOf(error) });
    }
  }
  return { written, skipped };
}

function entriesOf({ inventory }: Workspace, tool: string): ServerEntry[] {
  const all = [...inventory().servers.values()].flatMap((server): ServerEntry[] => [
    server,
    ...server.shadowed,
  ]);
  const byName = new Map<string, ServerEntry>();
  for (const entry of all.filter(({ provenance }) => provenance.tool === tool)) {
    if (!byName.has(entry.name)) byName.set(entry.name, entry);
  }
  return [...byName.values()];
}

function nativeFields({ declaration, transport }: ServerEntry): JsonObject {
  const fields: Record<string, JsonValue> = {};
  if (transport !== undefined) fields["type"] = transport;
  for (const field of NATIVE_FIELDS) {
    const value = declaration.fields[field];
    if (value !== undefined && field !== "type")
      fields[field] = toNativePlaceholders(value, declaration.expansion);
  }
  return fields;
}
