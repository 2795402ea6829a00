import type { PortableServer, Unsupported } from "../../discovery/index.ts";
import { checkNewName } from "../../inventory/index.ts";
import {
  isJsonObject,
  type JsonValue,
  type RemoteLaunch,
  type Server,
  type StdioLaunch,
} from "../../model/index.ts";
import type { Environment } from "../../platform/index.ts";
import { findLiteralSecrets, fromPlainValue, sourceOf, variableValue } from "../../values/index.ts";
import { CarryOver, isRelative, lostProtection, namedHeaders } from "../native-files/carry-over.ts";
import type { WriteScope } from "../native-files/native-files.ts";
import { carriedEntry, rootOfEntry } from "../native-files/rebase-paths.ts";

/** Fields that only Plugboard understands, so they cannot be exported. */
const BOUND_FIELDS = ["auth", "authProviderId", "headersHelper"];

/** The file that a server is written to. */
export interface PortableTarget {
  readonly scope: WriteScope;
  /** The folder that relative paths in the file are resolved from. Not set for a user's file. */
  readonly folder: string | undefined;
  readonly environment: Pick<Environment, "cwd" | "platform" | "variables">;
}

/** Returns a server in native form, to write it to another tool's file, or why that is not possible. */
export async function toPortable(
  server: Server,
  target: PortableTarget,
): Promise<PortableServer | Unsupported> {
  const { name, launch, declaration, provenance } = server;
  const wrongName = checkNewName(name);
  if (wrongName !== undefined || launch === undefined) return { cannot: wrongName ?? "it cannot be used" };
  if (launch.transport === "in-process") return { cannot: "it exists only in this program" };
  // The sandbox of the settings is not part of the entry.
  if (launch.transport === "stdio" && launch.sandbox !== undefined && server.defaultSandbox === undefined)
    return { cannot: 'other tools do not support its "sandbox"' };
  const { fields } = declaration;
  const becomesUserOwned = provenance.tier === "project" && target.scope === "user";
  const bound =
    BOUND_FIELDS.find((field) => fields[field] !== undefined) ??
    // A project's server does not become the user's own without them. `wrap` becomes part of the command.
    (becomesUserOwned ? lostProtection(fields, (field) => field === "wrap") : undefined);
  if (bound !== undefined) return { cannot: `other tools do not support its "${bound}"` };
  if (isJsonObject(fields["oauth"])) return { cannot: "its sign-in settings are not copied" };
  const carried = new CarryOver(server, { isForNativeFile: false });
  const portable =
    launch.transport === "stdio"
      ? await portableProgram(carried, server, launch, target)
      : portableUrl(carried, server, launch, target);
  for (const { field } of findLiteralSecrets({ ...portable }, {}))
    carried.refuse(`${field} contains a secret in plain text; use a variable instead`);
  if (carried.reason !== undefined) return { cannot: carried.reason };
  return {
    name,
    launch: portable,
    ...milliseconds("timeoutMs", fields["timeout"]),
    ...milliseconds("startupTimeoutMs", fields["startupTimeout"]),
    ...texts("allowTools", fields["allowTools"]),
    ...texts("denyTools", fields["denyTools"]),
  };
}

async function portableProgram(
  carried: CarryOver,
  server: Server,
  declared: StdioLaunch,
  target: PortableTarget,
): Promise<PortableServer["launch"]> {
  const {
    wrap = [],
    sandbox: _,
    ...launch
  } = await rooted(server, nativeProgram(carried, server, declared, target), target);
  const [command = launch.command, ...args] = [...wrap, launch.command, ...launch.args];
  const { cwd } = launch;
  const isPath = /[\\/]/.test(command);
  if (target.scope === "user" && ((cwd !== undefined && isRelative(cwd)) || (isPath && isRelative(command))))
    carried.refuse("it starts from a relative path, which a user's file cannot resolve");
  return { ...launch, command, args };
}

/** A project's launch refers to the project's files, even from another folder. */
async function rooted(
  server: Server,
  launch: StdioLaunch,
  { folder, environment }: PortableTarget,
): Promise<StdioLaunch> {
  const from = rootOfEntry(server, environment);
  if (from === undefined) return launch;
  const { platform } = environment;
  const { sandbox: _, ...words } = launch;
  return { ...launch, ...(await carriedEntry(words, { from, root: folder, platform })) };
}

function nativeProgram(
  carried: CarryOver,
  server: Server,
  launch: StdioLaunch,
  target: PortableTarget,
): StdioLaunch {
  const { command, args, cwd, wrap, envFile, env } = launch;
  return {
    ...launch,
    ...carried.paths({
      command: carried.text("command", command),
      cwd: cwd === undefined ? undefined : carried.text("cwd", cwd),
    }),
    args: args.map((word) => carried.text("args", word)),
    env: portableValues(carried, server, "env", env, target),
    ...(wrap !== undefined && { wrap: wrap.map((word) => carried.text("wrap", word)) }),
    ...(envFile !== undefined && { envFile: carried.text("envFile", envFile) }),
  };
}

function portableUrl(
  carried: CarryOver,
  server: Server,
  launch: RemoteLaunch,
  target: PortableTarget,
): PortableServer["launch"] {
  return {
    transport: launch.transport,
    url: carried.text("url", launch.url),
    headers: {
      ...portableValues(carried, server, "headers", launch.headers, target),
      ...namedHeaders(launch),
    },
  };
}

function portableValues(
  carried: CarryOver,
  { declaration: { expansion } }: Server,
  field: "env" | "headers",
  values: Readonly<Record<string, string>>,
  { environment: { variables } }: PortableTarget,
): Record<string, string> {
  /** A native file also accepts the bare name of a variable. Other tools would send it as text. */
  const isName = (value: string): boolean =>
    expansion.secretValues === true && variableValue(value, variables) !== undefined;
  const portable = Object.entries(values).map(([key, value]) => {
    const name = `${field}.${key}`;
    const source = expansion.secretValues === true ? sourceOf(value) : undefined;
    if (source === undefined) {
      const text = isName(value) ? `\${${value}}` : fromPlainValue(value);
      return [key, carried.text(name, text)] as const;
    }
    carried.refuse(
      source.kind === "command"
        ? `${name} is a command, which other tools do not run`
        : `${name} refers to a ${source.kind === "file" ? "file" : "stored secret"}, which other tools do not read`,
    );
    return [key, value] as const;
  });
  return Object.fromEntries(portable);
}

function milliseconds(key: "timeoutMs" | "startupTimeoutMs", value: JsonValue | undefined): object {
  return typeof value === "number" && value > 0 ? { [key]: value } : {};
}

/** `*` in `allowTools` allows all tools, so the list can be omitted. */
function texts(key: "allowTools" | "denyTools", value: JsonValue | undefined): object {
  if (!Array.isArray(value) || (key === "allowTools" && value.includes("*"))) return {};
  return { [key]: value.filter((item): item is string => typeof item === "string") };
}
