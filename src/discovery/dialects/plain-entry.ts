import type { JsonObject, JsonValue, Transport } from "../../model/index.ts";
import type { Cannot, PortableLaunch, PortableServer } from "./dialect.ts";
import { type PlaceholderWords, Wording } from "./wording.ts";

/** Fields that not every tool has a name for. */
type OptionalField = "cwd" | "envFile" | "allowTools" | "denyTools" | "timeout";

/** What sets a tool apart that otherwise keeps to the common shape of an entry. */
export interface EntryWords {
  readonly label: string;
  readonly placeholders: PlaceholderWords;
  /** Its word for each transport that it speaks; the empty text where the shape of an entry says enough. */
  readonly types: Readonly<Partial<Record<Transport, string>>>;
  readonly urlField?: string;
  /** Its names for fields that not every tool has. Without a name for a time-out, the tool's own counts. */
  readonly names?: Readonly<Partial<Record<OptionalField, string>>>;
  /** Counts time-outs in seconds. */
  readonly inSeconds?: boolean;
  /** How much of the person's environment its servers get. */
  readonly environment: "all" | "little";
}

/** Fields of the common shape that say what runs. */
export const PLAIN_LAUNCH_FIELDS: readonly string[] = "type command args env cwd envFile url headers".split(
  " ",
);

/** One server in the common shape, with a tool's own words in it. */
export function sayPlainly(
  server: PortableServer,
  words: EntryWords,
  wording: Wording = new Wording(words.label, words.placeholders),
): JsonObject | Cannot {
  const { launch } = server;
  const type = words.types[launch.transport];
  if (type === undefined) {
    wording.refuse(describeLack(launch, words.types.http !== undefined));
    return wording.finish({});
  }
  return wording.finish({
    ...(type !== "" && { type }),
    ...sayLaunch(launch, words, wording),
    ...sayRest(server, words, wording),
  });
}

function describeLack({ transport }: PortableLaunch, isRemote: boolean): string {
  if (transport === "stdio") return "cannot run local servers";
  return transport === "sse" && isRemote ? "does not support SSE" : "does not support remote servers in its config file";
}

function sayLaunch(launch: PortableLaunch, words: EntryWords, wording: Wording): JsonObject {
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
    ...sayOptional("cwd", launch.cwd && wording.text("cwd", launch.cwd), names, wording),
    ...sayOptional("envFile", launch.envFile && wording.text("envFile", launch.envFile), names, wording),
  };
}

/** Names to hand over from the environment, for tools that hand over little by themselves. */
function inheritedNames(
  inheritEnv: boolean | readonly string[] | undefined,
  { environment, placeholders: { variable } }: EntryWords,
  wording: Wording,
): Record<string, string> {
  if (environment === "all" || inheritEnv === undefined || inheritEnv === false) return {};
  if (inheritEnv === true) wording.refuse("passes only part of the environment to servers (inheritEnv)");
  else if (variable === undefined) wording.refuse("cannot pass variables by name (inheritEnv)");
  else return Object.fromEntries(inheritEnv.map((name) => [name, variable(name)]));
  return {};
}

function sayRest(server: PortableServer, words: EntryWords, wording: Wording): JsonObject {
  const { allowTools, denyTools, timeoutMs } = server;
  const { names = {} } = words;
  return {
    ...(names.timeout !== undefined &&
      timeoutMs !== undefined && {
        [names.timeout]: words.inSeconds === true ? Math.ceil(timeoutMs / 1000) : timeoutMs,
      }),
    ...sayOptional("allowTools", allowTools, names, wording),
    ...sayOptional("denyTools", denyTools, names, wording),
  };
}

function sayOptional(
  field: OptionalField,
  value: JsonValue | undefined,
  names: Readonly<Partial<Record<OptionalField, string>>>,
  wording: Wording,
): JsonObject {
  if (value === undefined) return {};
  const name = names[field];
  if (name === undefined) wording.refuse(`does not support ${field}`);
  return name === undefined ? {} : { [name]: value };
}
