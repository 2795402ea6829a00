import type { JsonObject, JsonValue, Transport } from "../../model/index.ts";
import type { PortableLaunch, PortableServer, Unsupported } from "./dialect.ts";
import { EntryWriter, type PlaceholderFormat } from "./entry-writer.ts";

/** Fields that only some tools support. */
type OptionalField = "cwd" | "envFile" | "allowTools" | "denyTools" | "timeout";

/** How a tool's entries differ from the common entry format. */
export interface EntryFormat {
  readonly label: string;
  readonly placeholders: PlaceholderFormat;
  /** The type value for each supported transport. An empty string means that the type is omitted. */
  readonly types: Readonly<Partial<Record<Transport, string>>>;
  readonly urlField?: string;
  /** The names of optional fields. Without a name for the timeout, the tool's own default applies. */
  readonly names?: Readonly<Partial<Record<OptionalField, string>>>;
  /** Whether timeouts are in seconds. */
  readonly inSeconds?: boolean;
  /** How much of the user's environment the tool passes to its servers. */
  readonly environment: "all" | "little";
}

/** The fields of the common entry format that define what runs. */
export const PLAIN_LAUNCH_FIELDS: readonly string[] = "type command args env cwd envFile url headers".split(
  " ",
);

/** Returns a server as an entry in the common format, with the tool's own names. */
export function toPlainEntry(
  server: PortableServer,
  words: EntryFormat,
  wording: EntryWriter = new EntryWriter(words.label, words.placeholders),
): JsonObject | Unsupported {
  const { launch } = server;
  const type = words.types[launch.transport];
  if (type === undefined) {
    wording.refuse(describeUnsupported(launch, words.types.http !== undefined));
    return wording.finish({});
  }
  return wording.finish({
    ...(type !== "" && { type }),
    ...launchFields(launch, words, wording),
    ...otherFields(server, words, wording),
  });
}

function describeUnsupported({ transport }: PortableLaunch, isRemote: boolean): string {
  if (transport === "stdio") return "cannot run local servers";
  return transport === "sse" && isRemote
    ? "does not support SSE"
    : "does not support remote servers in its config file";
}

function launchFields(launch: PortableLaunch, words: EntryFormat, wording: EntryWriter): JsonObject {
  if (launch.transport !== "stdio") {
    const headers = wording.map("headers", launch.headers);
    return {
      [words.urlField ?? "url"]: wording.text("url", launch.url),
      ...(Object.keys(headers).length > 0 && { headers }),
    };
  }
  const env = { ...inheritedNames(launch.inheritEnv, words, wording), ...wording.map("env", launch.env) };
  const { names = {} } = words;
  return {
    command: wording.text("command", launch.command),
    ...(launch.args.length > 0 && { args: wording.list("args", launch.args) }),
    ...(Object.keys(env).length > 0 && { env }),
    ...optionalField("cwd", launch.cwd && wording.text("cwd", launch.cwd), names, wording),
    ...optionalField("envFile", launch.envFile && wording.text("envFile", launch.envFile), names, wording),
  };
}

/** Returns variables to pass from the environment, for tools that pass only few of them. */
function inheritedNames(
  inheritEnv: boolean | readonly string[] | undefined,
  { environment, placeholders: { variable } }: EntryFormat,
  wording: EntryWriter,
): Record<string, string> {
  if (environment === "all" || inheritEnv === undefined || inheritEnv === false) return {};
  if (inheritEnv === true) wording.refuse("passes only part of the environment to servers (inheritEnv)");
  else if (variable === undefined) wording.refuse("cannot pass variables by name (inheritEnv)");
  else return Object.fromEntries(inheritEnv.map((name) => [name, wording.inherited(name)]));
  return {};
}

function otherFields(server: PortableServer, words: EntryFormat, wording: EntryWriter): JsonObject {
  const { allowTools, denyTools, timeoutMs } = server;
  const { names = {} } = words;
  return {
    ...(names.timeout !== undefined &&
      timeoutMs !== undefined && {
        [names.timeout]: words.inSeconds === true ? Math.ceil(timeoutMs / 1000) : timeoutMs,
      }),
    ...optionalField("allowTools", allowTools, names, wording),
    ...optionalField("denyTools", denyTools, names, wording),
  };
}

function optionalField(
  field: OptionalField,
  value: JsonValue | undefined,
  names: Readonly<Partial<Record<OptionalField, string>>>,
  wording: EntryWriter,
): JsonObject {
  if (value === undefined) return {};
  const name = names[field];
  if (name === undefined) wording.refuse(`does not support ${field}`);
  return name === undefined ? {} : { [name]: value };
}
