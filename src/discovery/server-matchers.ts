import {
  isJsonObject,
  isList,
  itemsOf,
  type JsonObject,
  type JsonValue,
  matchesGlob,
} from "../model/index.ts";
import { ownMember } from "./map-fields.ts";

/** Returns whether a server matches a list of `{ serverName }`, `{ serverCommand }` and `{ serverUrl }`. */
export function isDenied(list: JsonValue | undefined, name: string, fields: JsonObject): boolean {
  return matchersIn(list).some((matcher) => matches(matcher, name, fields));
}

/** Returns whether the list allows a server. If it lists any command, a local server must match a command. */
export function isAllowed(list: JsonValue | undefined, name: string, fields: JsonObject): boolean {
  if (!isList(list)) return true;
  const matchers = matchersIn(list);
  const commands = matchers.filter((matcher) => ownMember(matcher, "serverCommand") !== undefined);
  const isLocal = ownMember(fields, "command") !== undefined;
  const relevant = isLocal && commands.length > 0 ? commands : matchers;
  return relevant.some((matcher) => matches(matcher, name, fields));
}

function matchersIn(list: JsonValue | undefined): JsonObject[] {
  return itemsOf(list).filter(isJsonObject);
}

function matches(matcher: JsonObject, name: string, fields: JsonObject): boolean {
  const serverName = ownMember(matcher, "serverName");
  const serverCommand = ownMember(matcher, "serverCommand");
  const serverUrl = ownMember(matcher, "serverUrl");
  if (serverName !== undefined) return serverName === name;
  if (serverCommand !== undefined) {
    const args = ownMember(fields, "args");
    const line = [ownMember(fields, "command"), ...itemsOf(args)];
    return JSON.stringify(line) === JSON.stringify(serverCommand);
  }
  const url = ownMember(fields, "url");
  return typeof serverUrl === "string" && typeof url === "string" && matchesGlob(serverUrl, url);
}
