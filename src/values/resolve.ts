import { describePlace, type Launch, type Problem, Secret, type Server } from "../model/index.ts";
import type { Environment } from "../platform/index.ts";
import { expand } from "./expand.ts";

/** A launch with every value in place. Env and header values are secrets: they print as `[secret]`. */
export type ResolvedLaunch =
  | {
      readonly transport: "stdio";
      readonly command: string;
      readonly args: readonly string[];
      readonly cwd: string | undefined;
      readonly env: ReadonlyMap<string, Secret>;
      readonly inheritEnv: boolean | readonly string[];
    }
  | {
      readonly transport: "http" | "sse";
      readonly url: string;
      readonly headers: ReadonlyMap<string, Secret>;
    };

export interface ResolvedServer {
  readonly name: string;
  readonly launch: ResolvedLaunch;
  readonly timeoutMs: number;
  readonly startupTimeoutMs: number;
  /** Values that could not be resolved: left out of env and headers, kept as written elsewhere. */
  readonly problems: readonly Problem[];
}

/** Fills in the values of a server that may run. Never called for a launch that nobody allowed. */
export function resolveServer(server: Server, launch: Launch, { variables }: Environment): ResolvedServer {
  const problems: Problem[] = [];
  const fill = (field: string, text: string): { text: string; complete: boolean } => {
    const { text: filled, missing } = expand(text, variables);
    for (const name of missing) problems.push(unresolved(server, field, name));
    return { text: filled, complete: missing.length === 0 };
  };
  const fillMap = (field: string, map: Readonly<Record<string, string>>): Map<string, Secret> => {
    const filled = new Map<string, Secret>();
    for (const [key, value] of Object.entries(map)) {
      const { text, complete } = fill(`${field}.${key}`, value);
      if (complete) filled.set(key, new Secret(text));
    }
    return filled;
  };
  const { name, timeoutMs, startupTimeoutMs } = server;
  return { name, launch: fillLaunch(launch, fill, fillMap), timeoutMs, startupTimeoutMs, problems };
}

function fillLaunch(
  launch: Launch,
  fill: (field: string, text: string) => { text: string },
  fillMap: (field: string, map: Readonly<Record<string, string>>) => Map<string, Secret>,
): ResolvedLaunch {
  if (launch.transport !== "stdio") {
    const { text: url } = fill("url", launch.url);
    return { transport: launch.transport, url, headers: fillMap("headers", launch.headers) };
  }
  const words = [...(launch.wrap ?? []), launch.command, ...launch.args];
  const [command = launch.command, ...args] = words.map((word) => fill("command", word).text);
  return {
    transport: "stdio",
    command,
    args,
    cwd: launch.cwd === undefined ? undefined : fill("cwd", launch.cwd).text,
    env: fillMap("env", launch.env),
    inheritEnv: launch.inheritEnv ?? false,
  };
}

function unresolved({ name, provenance, declaration }: Server, field: string, variable: string): Problem {
  const at = declaration.positionOf(field.split(".")[0] ?? field);
  const place = { file: provenance.file, ...at };
  return {
    code: "value-unresolved",
    severity: "warning",
    message: `${describePlace(place)} server "${name}": ${field} needs \${${variable}}, which is not set`,
    server: name,
    ...place,
  };
}
