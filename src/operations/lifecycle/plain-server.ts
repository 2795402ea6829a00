import { isJsonObject, type JsonValue, type Launch, type ServerEntry } from "../../model/index.ts";
import { placeholdersIn, type ResolvedLaunch, type ResolvedServer } from "../../values/index.ts";

/** Returns a server as written. Resolves no values, runs no commands, and omits values with placeholders. */
export function plainServer(server: ServerEntry, launch: Launch): ResolvedServer {
  const { name, timeoutMs, timeoutSource, startupTimeoutMs, startupTimeoutSource } = server;
  const { installTimeoutMs, installTimeoutSource, protocol, declaration } = server;
  const plain = plainLaunch(launch);
  const { oauth } = declaration.fields;
  const settings = oauth === undefined ? undefined : withoutPlaceholders(oauth, server);
  return {
    name,
    launch: plain,
    timeoutMs,
    timeoutSource,
    startupTimeoutMs,
    startupTimeoutSource,
    installTimeoutMs,
    installTimeoutSource,
    protocol,
    ...(settings !== undefined && { oauth: settings }),
    hidden: [],
    plain: new Set(),
    problems: [],
  };
}

function plainLaunch(launch: Launch): ResolvedLaunch {
  if (launch.transport === "in-process") return launch;
  if (launch.transport === "stdio") {
    const { sandbox: _, ...program } = launch;
    return { ...program, cwd: undefined, env: new Map(), inheritEnv: false };
  }
  return { transport: launch.transport, url: launch.url, headers: new Map() };
}

function withoutPlaceholders(value: JsonValue, server: ServerEntry): JsonValue | undefined {
  const { expansion } = server.declaration;
  if (typeof value === "string") return placeholdersIn(value, expansion).length === 0 ? value : undefined;
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).flatMap(([key, item]) => {
    const kept = withoutPlaceholders(item, server);
    return kept === undefined ? [] : [[key, kept] as const];
  });
  return Object.fromEntries(members);
}
