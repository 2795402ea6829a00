import { memberAt } from "../../documents/index.ts";
import {
  isJsonObject,
  isList,
  itemsOf,
  type JsonObject,
  type JsonValue,
  type Scope,
} from "../../model/index.ts";
import { hasItem, ownMember } from "../map-fields.ts";
import type { MappedEntry, SourceDocument, Where } from "../provider.ts";

/** Rules in Claude Code's settings that apply to servers declared in other files. */
export interface ClaudePolicy {
  /** Returns the rule that disables a server, or an empty object. */
  switchOf(name: string, scope: Scope, entry: JsonObject): Pick<MappedEntry, "enabled">;
  /** Returns the reason why a plugin is disabled, or `undefined` if it is enabled. */
  whyPluginIsOff(id: string): string | undefined;
}

export function createClaudePolicy(
  documents: readonly SourceDocument[],
  { projectFolders }: Where,
): ClaudePolicy {
  const settings = documents.filter(({ role }) => role === "settings" || role === "policy");
  const projects = documents
    .filter(({ role }) => role === "state")
    .flatMap(({ file, value }) =>
      projectFolders.flatMap((folder) => {
        const project = memberAt(value, ["projects", folder]);
        return isJsonObject(project) ? [{ file, value: project }] : [];
      }),
    );
  const listed = (
    key: string,
    name: string,
    places: readonly { file: string; value: JsonValue }[],
  ): string | undefined => places.find(({ value }) => hasItem(memberAt(value, [key]), name))?.file;
  const managed = documents.filter(({ role }) => role === "policy");
  const trusted = documents.filter(({ tier }) => tier !== "project");
  const users = trusted.filter(({ role }) => role === "settings");
  const projectSettings = documents.filter(({ role, tier }) => role === "settings" && tier === "project");

  return {
    switchOf(name, scope, entry) {
      const off = (file: string, key: string): Pick<MappedEntry, "enabled"> => ({
        enabled: { value: false, rule: `"${key}" in ${file}` },
      });
      for (const { file, value } of managed) {
        const denied = matchers(value, "deniedMcpServers");
        if (denied?.some((matcher) => matches(matcher, name, entry))) return off(file, "deniedMcpServers");
        const allowed = matchers(value, "allowedMcpServers");
        if (allowed !== undefined && !isAllowed(allowed, name, entry)) return off(file, "allowedMcpServers");
      }
      const forProject = listed("disabledMcpServers", name, projects);
      if (forProject !== undefined) return off(forProject, "disabledMcpServers");
      if (scope !== "project") return {};
      const rejected = listed("disabledMcpjsonServers", name, [...projects, ...settings]);
      return rejected === undefined ? {} : off(rejected, "disabledMcpjsonServers");
    },
    whyPluginIsOff(id) {
      const switchIn = ({ value }: SourceDocument): JsonValue | undefined =>
        memberAt(value, ["enabledPlugins", id]);
      const deciding = [...trusted.filter(({ role }) => role === "policy"), ...users].find(
        (source) => typeof switchIn(source) === "boolean",
      );
      if (deciding === undefined) return `the plugin ${id} is not enabled in your own settings`;
      // A project may disable a plugin, never enable one.
      const off = [deciding, ...projectSettings].find((source) => switchIn(source) === false);
      return off && `"enabledPlugins" in ${off.file} disables the plugin ${id}`;
    },
  };
}

function matchers(value: JsonValue, key: string): JsonObject[] | undefined {
  const list = memberAt(value, [key]);
  return isList(list) ? list.filter(isJsonObject) : undefined;
}

/** If the list contains any command, a local server must match a command. */
function isAllowed(allowed: readonly JsonObject[], name: string, entry: JsonObject): boolean {
  const isLocal = ownMember(entry, "command") !== undefined;
  const mustMatchCommand =
    isLocal && allowed.some((matcher) => ownMember(matcher, "serverCommand") !== undefined);
  const relevant = mustMatchCommand
    ? allowed.filter((matcher) => ownMember(matcher, "serverCommand") !== undefined)
    : allowed;
  return relevant.some((matcher) => matches(matcher, name, entry));
}

function matches(matcher: JsonObject, name: string, entry: JsonObject): boolean {
  const { serverName, serverCommand, serverUrl } = matcher;
  if (serverName !== undefined) return serverName === name;
  if (Array.isArray(serverCommand)) {
    const args = ownMember(entry, "args");
    const line = [ownMember(entry, "command"), ...itemsOf(args)];
    return JSON.stringify(line) === JSON.stringify(serverCommand);
  }
  const url = ownMember(entry, "url");
  if (typeof serverUrl !== "string" || typeof url !== "string") return false;
  const pattern = serverUrl.split("*").map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${pattern.join(".*")}$`).test(url);
}
