import { memberAt } from "../../documents/index.ts";
import { type ExpansionRules, isJsonObject, type JsonObject, type JsonValue } from "../../model/index.ts";
import {
  COMMON_FIELDS,
  checkStringMap,
  explicit,
  hasItem,
  hasString,
  keepFields,
  noteTimeout,
  noteUnknown,
  ownMember,
  type TransportFacts,
} from "../map-fields.ts";
import { complain } from "../owner-problems.ts";
import type {
  DiscoveryProvider,
  MappedEntry,
  ProviderReading,
  SourceDocument,
  SourceFile,
} from "../provider.ts";
import { joinReadings, readServerMap } from "../read-server-map.ts";
import { folderOf, pathFromVariable, userFile } from "../source-files.ts";
import { Verdict } from "../verdict.ts";

const EXPANSION: ExpansionRules = {
  syntaxes: ["default", "braced", "bare"],
  fields: ["env", "headers"],
  unset: "literal",
};

/** GitHub Copilot CLI: one file per folder up to the repository root, then the user's file. */
export const copilotCli: DiscoveryProvider = {
  id: "copilot-cli",
  label: "GitHub Copilot CLI",
  priority: 40,
  files(where) {
    const { home, projectFolders, join } = where;
    const own = pathFromVariable(where, "COPILOT_HOME") ?? join(home, ".copilot");
    const project = (role: string, path: string): SourceFile => ({
      scope: "project",
      tier: "project",
      role,
      paths: [path],
    });
    return [
      ...projectFolders.flatMap((folder) => [
        project("project", join(folder, ".mcp.json")),
        project("github", join(folder, ".github", "mcp.json")),
      ]),
      { ...userFile(join(own, "mcp-config.json")), role: "user" },
      { ...userFile(join(own, "settings.json")), role: "settings" },
    ];
  },
  read(documents, { join }) {
    const settings = documents.filter(({ role }) => role === "settings");
    const hiding = (source: SourceDocument): string | undefined => {
      const folder = folderOf({ join }, folderOf({ join }, source.file));
      return source.role === "github"
        ? documents.find(({ role, file }) => role === "project" && folderOf({ join }, file) === folder)?.file
        : undefined;
    };
    return joinReadings(
      documents
        .filter(({ role }) => role !== "settings")
        .map((source) => readFile(source, settings, hiding(source))),
    );
  },
};

function readFile(
  source: SourceDocument,
  settings: readonly SourceDocument[],
  hidingFile: string | undefined,
): ProviderReading {
  const isBare = memberAt(source.value, ["mcpServers"]) === undefined;
  if (isBare && source.role === "user") return withoutKey(source);
  const reading = readServerMap(source, {
    keys: isBare ? [[]] : [["mcpServers"]],
    expansion: EXPANSION,
    map: (entry, name) => {
      if (isBare && !looksLikeServer(entry)) return undefined;
      return { ...mapEntry(entry), ...switchOf(name, settings, hidingFile) };
    },
  });
  // A top-level map may contain keys other than servers.
  return isBare ? { entries: reading.entries } : reading;
}

/** Reports a user file without "mcpServers". Copilot CLI supports top-level servers only in project files. */
function withoutKey(source: SourceDocument): ProviderReading {
  if (!isJsonObject(source.value) || Object.keys(source.value).length === 0) return { entries: [] };
  const message = `has no "mcpServers": GitHub Copilot CLI would reject this file`;
  return complain({ entries: [] }, { source, path: [], code: "owner-refuses", message, severity: "warning" });
}

function looksLikeServer(entry: JsonObject): boolean {
  return ["command", "url", "type"].some((key) => hasString(entry, key));
}

function switchOf(
  name: string,
  settings: readonly SourceDocument[],
  hidingFile: string | undefined,
): Pick<MappedEntry, "enabled"> {
  if (hidingFile !== undefined)
    return { enabled: { value: false, rule: `${hidingFile} hides this whole file` } };
  const key = "disabledMcpServers";
  const list = settings.find(({ value }) => hasItem(memberAt(value, [key]), name));
  return list === undefined ? {} : { enabled: { value: false, rule: `"${key}" in ${list.file}` } };
}

const TYPES: Readonly<Record<string, "stdio" | "http" | "sse">> = {
  local: "stdio",
  stdio: "stdio",
  http: "http",
  "streamable-http": "http",
  sse: "sse",
};
const NAMES = { ...COMMON_FIELDS, tools: "allowTools", timeout: "timeout" };
const KNOWN: ReadonlySet<string> = new Set([
  ...Object.keys(NAMES),
  ..."type oauthClientId oauthPublicClient oauthGrantType oidc deferTools disableToolCache filterMapping".split(
    " ",
  ),
]);

function mapEntry(entry: JsonObject): MappedEntry {
  const verdict = new Verdict();
  const transport = transportOf(entry, verdict);
  checkStringMap(entry, "env", verdict);
  checkStringMap(entry, "headers", verdict);
  noteTimeout(ownMember(entry, "timeout"), "milliseconds", verdict);
  noteUnknown(entry, KNOWN, verdict);
  const type = transport?.kind ?? ownMember(entry, "type");
  const tools = ownMember(entry, "tools");
  const clientId = ownMember(entry, "oauthClientId");
  return {
    fields: {
      ...(type !== undefined && { type }),
      ...keepFields(entry, NAMES, ["oauthClientId"]),
      ...(tools === "" && { allowTools: [] }),
      ...(clientId !== undefined && { oauth: { clientId } }),
    },
    ...(transport && { transport }),
    owner: verdict.result(),
  };
}

function transportOf(entry: JsonObject, verdict: Verdict): TransportFacts | undefined {
  const type = ownMember(entry, "type");
  const command = hasString(entry, "command");
  const url = ownMember(entry, "url");
  if (command && hasString(entry, "url")) verdict.note("command-and-url");
  const kind = type === undefined ? (command ? "stdio" : "http") : kindOf(type);
  if (kind === undefined) {
    verdict.refuse("unknown-type");
    return undefined;
  }
  if (type === undefined && !command && !hasString(entry, "url")) {
    verdict.refuse("missing-command");
    return undefined;
  }
  if (kind === "stdio") {
    if (!command) verdict.refuse("missing-command");
  } else checkUrl(url, verdict);
  if (type !== undefined) return explicit(kind, String(type));
  return { kind, reason: command ? "it has a command and no type" : "it has a url and no type" };
}

function kindOf(type: JsonValue): "stdio" | "http" | "sse" | undefined {
  return typeof type === "string" && Object.hasOwn(TYPES, type) ? TYPES[type] : undefined;
}

/** Copilot CLI checks the url before expansion, so a url that depends on a variable may be invalid. */
function checkUrl(url: JsonValue | undefined, verdict: Verdict): void {
  if (typeof url !== "string" || url === "") verdict.refuse("missing-url");
  else if (!URL.canParse(url)) verdict.refuse("bad-url");
}
