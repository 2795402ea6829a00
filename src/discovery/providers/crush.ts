import { type Document, memberAt } from "../../documents/index.ts";
import {
  type ExpansionRules,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Position,
  type Scope,
} from "../../model/index.ts";
import {
  explicit,
  fromSeconds,
  hasString,
  keepFields,
  noteTimeout,
  ownMember,
  pickFields,
} from "../map-fields.ts";
import { type Layer, layersIn, mergeLayers, shapeProblems } from "../merge-layers.ts";
import { withStrictJson } from "../owner-problems.ts";
import { checkStrings } from "../plain-entry.ts";
import type {
  Complaint,
  DiscoveryProvider,
  MappedEntry,
  SourceDocument,
  SourceFile,
  Where,
} from "../provider.ts";
import { joinReadings } from "../read-server-map.ts";
import { pathFromVariable } from "../source-files.ts";
import { Verdict } from "../verdict.ts";
import { LONGEST_SCRIPT, readCrushrc } from "./crushrc.ts";

/** Crush expands every string with its own shell. Plugboard never runs the commands in it. */
const EXPANSION: ExpansionRules = {
  syntaxes: ["shell", "default", "braced", "bare"],
  emptyIsUnset: true,
  unset: "empty",
};

/** Crush: JSON files and `crushrc` scripts, merged field by field from the system file to the nearest folder's. */
export const crush: DiscoveryProvider = {
  id: "crush",
  label: "Crush",
  priority: 40,
  files(where) {
    const { platform, projectFolders, join } = where;
    const config = configFolder(where);
    return [
      ...(platform === "win32" ? [] : [file("managed", "/etc/crush/crush.json")]),
      file("user", join(config, "crush.json")),
      file("user", join(config, "crushrc")),
      file("user", join(dataFolder(where), "crush.json")),
      ...[...projectFolders]
        .reverse()
        .flatMap((folder) =>
          ["crush.json", ".crush.json", "crushrc", ".crushrc"].map((name) =>
            file("project", join(folder, name)),
          ),
        ),
    ];
  },
  read(documents) {
    const { read, complaints: ignored } = withinScriptLimit(documents);
    const entries = mergeLayers(read.flatMap(layersOf), {
      tool: "crush",
      expansion: EXPANSION,
      map: (entry, _name, _source, layers) =>
        mapEntry(
          entry,
          layers.some(({ source }) => isScript(source)),
        ),
    });
    const checks = documents
      .filter((source) => !isScript(source))
      .map((source) => {
        const complaints = shapeProblems(source, ["mcp"], memberAt(source.value, ["mcp"]));
        return withStrictJson({ entries: [], complaints }, source, crush.label);
      });
    return joinReadings([{ entries, complaints: ignored }, ...checks]);
  },
};

function file(scope: Scope & SourceFile["tier"], path: string): SourceFile {
  const isScript = path.endsWith("crushrc");
  return { scope, tier: scope, paths: [path], ...(isScript && { role: "script", format: "text" }) };
}

/** Returns the config folder: `~/.config` on Windows, too. */
function configFolder(where: Where): string {
  const { platform, home, configHome, join } = where;
  const usual = platform === "win32" ? join(home, ".config") : configHome;
  return pathFromVariable(where, "CRUSH_GLOBAL_CONFIG") ?? join(usual, "crush");
}

/** Returns the folder where Crush stores changes made in its UI. */
function dataFolder(where: Where): string {
  const { platform, home, join } = where;
  const named = pathFromVariable(where, "CRUSH_GLOBAL_DATA");
  if (named !== undefined) return named;
  const usual =
    platform === "win32"
      ? (pathFromVariable(where, "LOCALAPPDATA") ?? join(home, "AppData", "Local"))
      : (pathFromVariable(where, "XDG_DATA_HOME") ?? join(home, ".local", "share"));
  return join(usual, "crush");
}

function isScript({ role }: SourceDocument): boolean {
  return role === "script";
}

/** A project's scripts are read before anything is approved, one after the other without a pause. */
function withinScriptLimit(documents: readonly SourceDocument[]): {
  readonly read: readonly SourceDocument[];
  readonly complaints: readonly Complaint[];
} {
  let left = LONGEST_SCRIPT;
  const complaints: Complaint[] = [];
  const read = documents.filter((source) => {
    if (!isScript(source) || source.tier !== "project") return true;
    if (source.text.length <= left) {
      left -= source.text.length;
      return true;
    }
    const message = "is ignored: the scripts of a project may have 100,000 characters in total";
    complaints.push({ source, path: [], code: "file-too-large", message });
    return false;
  });
  return { read, complaints };
}

function layersOf(source: SourceDocument): Layer[] {
  if (!isScript(source)) return layersIn(source, ["mcp"], memberAt(source.value, ["mcp"]));
  const servers = readCrushrc(source.text);
  const places = new Map<string | number | undefined, Position>(servers.map(({ name, at }) => [name, at]));
  const at: Document["at"] = ([name]) => places.get(name);
  const placed = { ...source, document: { ...source.document, at } };
  return servers.map(({ name, entry }) => ({ name, entry, source: placed, path: [name] }));
}

const NAMES = {
  command: "command",
  args: "args",
  env: "env",
  url: "url",
  headers: "headers",
  disabled_tools: "denyTools",
  enabled_tools: "allowTools",
};
const OAUTH = {
  oauth_client_id: "clientId",
  oauth_client_secret: "clientSecret",
  oauth_callback_port: "callbackPort",
};

function mapEntry(entry: JsonObject, isHint: boolean): MappedEntry {
  const verdict = new Verdict();
  const transport = transportOf(entry, isHint, verdict);
  checkStrings(entry, verdict);
  noteTimeout(ownMember(entry, "timeout"), "seconds", verdict);
  if (isHint) verdict.note("static-hint-only");
  const type = transport?.kind ?? ownMember(entry, "type");
  const disabled = ownMember(entry, "disabled");
  const timeout = fromSeconds(ownMember(entry, "timeout"));
  const oauth = oauthOf(entry);
  return {
    fields: {
      ...(type !== undefined && { type }),
      ...keepFields(entry, NAMES, ["disabled", ...Object.keys(OAUTH)]),
      ...(disabled !== undefined && { enabled: typeof disabled === "boolean" ? !disabled : disabled }),
      ...(timeout !== undefined && { timeout }),
      ...(oauth !== undefined && { oauth }),
    },
    ...(transport && { transport }),
    owner: verdict.result(),
  };
}

/** JSON entries require a type. In a script, the default is stdio. */
function transportOf(entry: JsonObject, isHint: boolean, verdict: Verdict): MappedEntry["transport"] {
  const type = ownMember(entry, "type") ?? (isHint ? "stdio" : undefined);
  const command = hasString(entry, "command");
  if (type === undefined) {
    verdict.refuse("missing-type");
    return command ? { kind: "stdio", reason: "it has a command and no type" } : undefined;
  }
  if (type !== "stdio" && type !== "http" && type !== "sse") {
    verdict.refuse("unknown-type");
    return undefined;
  }
  if (type === "stdio" && !command) verdict.refuse("missing-command");
  if (type !== "stdio" && !hasString(entry, "url")) verdict.refuse("missing-url");
  return explicit(type, type);
}

function oauthOf(entry: JsonObject): JsonValue | undefined {
  const client = pickFields(entry, OAUTH);
  const oauth = ownMember(entry, "oauth");
  return isJsonObject(oauth) || oauth === false || Object.keys(client).length === 0 ? oauth : client;
}
