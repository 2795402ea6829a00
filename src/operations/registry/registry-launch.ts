import type { ServerTemplate } from "../../discovery/index.ts";
import { checkNewEntry } from "../../inventory/index.ts";
import {
  type InputRequest,
  isJsonObject,
  isList,
  type JsonObject,
  type JsonValue,
  safeLine,
} from "../../model/index.ts";
import { changesWhatRuns, toPlainValue } from "../../values/index.ts";
import type { Workspace } from "../workspace.ts";
import type { RegistryEntry, RegistryLaunch } from "./registry-api.ts";
import { refuseRunner } from "./runner-options.ts";

type Refused = RegistryEntry["refused"][number];

const MOST_WORDS = 200;
const LONGEST_WORD = 4_000;
const MOST_INPUTS = 50;
const MOST_OPTIONS = 100;
const LONGEST_NAME = 300;

/**
 * Converts a template to a native entry, with the defaults of its inputs filled in. Texts of the registry must not become
 * references to variables, secrets or commands, so the filled texts are checked: an empty default turns `{a}!id` into
 * a command.
 */
export function toLaunch(
  { environment }: Workspace,
  { fields: template, owner, inputs }: ServerTemplate,
  kind: string,
  { isUnpacked = false }: { readonly isUnpacked?: boolean } = {},
): RegistryLaunch | Refused {
  const refuse = (reason: string): Refused => ({ kind, reason });
  if (kind === "mcpb" && !isUnpacked)
    return refuse("download the bundle, then add the file: plugboard add ./<name>.mcpb");
  if (owner?.valid === false) return refuse("its description is not complete");
  if (template["package"] !== undefined)
    return refuse("its package must be started by hand before it can be reached");
  const words = wordsOf(template);
  if (!words.every((word) => typeof word === "string")) return refuse("its launch is not valid");
  const defaults = new Map(
    inputs.flatMap(({ id, default: given }) => (given === undefined ? [] : [[id, given] as const])),
  );
  const isTooLong = (text: string): boolean => text.length > LONGEST_WORD;
  if (
    words.length > MOST_WORDS ||
    inputs.length > MOST_INPUTS ||
    [...inputs.map(({ id }) => id), ...namesOf(template)].some((name) => name.length > LONGEST_NAME) ||
    [...words, ...defaults.values()].some(isTooLong) ||
    words.some((word) => isTooLong(fillText(word, defaults)))
  )
    return refuse("its launch is too long");
  const { type, command, args, env, url, headers } = fillFields(template, defaults);
  const filled = wordsOf({ command, args, env, url, headers }).map(String);
  const isReference = (text: JsonValue): boolean => /^(?:!|file:|keychain:|env:)/.test(String(text));
  if (
    filled.some((word) => word.includes("${") || safeLine(word) !== word) ||
    [...namesOf(template), ...inputs.map(({ id }) => id)].some((name) => safeLine(name) !== name) ||
    [...valuesOf(env), ...valuesOf(headers)].some(isReference)
  )
    return refuse("its launch contains control characters, or refers to variables, secrets or commands");
  const runnerRefusal =
    typeof command === "string" && !isUnpacked
      ? refuseRunner(command, isList(args) ? args.map(String) : [])
      : undefined;
  if (runnerRefusal !== undefined) return refuse(runnerRefusal);
  // A value that the user types is the user's own.
  const [loader] =
    Object.entries(isJsonObject(env) ? env : {}).find(
      ([name, value]) => changesWhatRuns(name) && !/^(?:\{[\w.-]+\})?$/.test(String(value)),
    ) ?? [];
  if (loader !== undefined) return refuse(`it sets ${loader}, which can change the code that runs`);
  const plain = (named: JsonObject): JsonObject =>
    mapValues(named, (text) => toPlainValue(text, environment.variables));
  const server: JsonObject = {
    ...(type !== undefined && { type }),
    ...(command !== undefined && { command }),
    ...(args !== undefined && { args }),
    ...(url !== undefined && { url }),
    ...(isJsonObject(env) && { env: plain(env) }),
    ...(isJsonObject(headers) && { headers: plain(headers) }),
  };
  const [wrong] = url?.toString().includes("{") === true ? [] : checkNewEntry("server", server);
  if (wrong !== undefined) return refuse(wrong);
  return { kind, server, inputs: inputs.filter(({ id }) => !defaults.has(id)).map(safeInput) };
}

/** All texts of a launch that the registry determines. */
function wordsOf({ command, args, url, env, headers }: Partial<Record<string, JsonValue>>): JsonValue[] {
  return [command, ...(isList(args) ? args : []), url, ...valuesOf(env), ...valuesOf(headers)].filter(
    (word): word is JsonValue => word !== undefined,
  );
}

/** Replaces `{id}`, and empty variables and headers, with the defaults. */
function fillFields(
  fields: JsonObject,
  defaults: ReadonlyMap<string, string>,
): Partial<Record<string, JsonValue>> {
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => {
      if (typeof value === "string") return [key, fillText(value, defaults)];
      if (isList(value)) return [key, value.map((word) => fillText(String(word), defaults))];
      if (!isJsonObject(value)) return [key, value];
      return [
        key,
        mapValues(value, (text, name) => (text === "" && defaults.get(name)) || fillText(text, defaults)),
      ];
    }),
  );
}

/** Placeholders inside defaults are not replaced. */
function fillText(text: string, defaults: ReadonlyMap<string, string>): string {
  return text.replaceAll(/\{([\w.-]+)\}/g, (whole, id: string) => defaults.get(id) ?? whole);
}

function mapValues(named: JsonObject, change: (text: string, name: string) => string): JsonObject {
  return Object.fromEntries(
    Object.entries(named).map(([name, value]) => [name, change(String(value), name)]),
  );
}

/** The names of all variables and headers of a launch. */
function namesOf({ env, headers }: Partial<Record<string, JsonValue>>): string[] {
  return [env, headers].flatMap((named) => (isJsonObject(named) ? Object.keys(named) : []));
}

function valuesOf(named: JsonValue | undefined): JsonValue[] {
  return isJsonObject(named) ? Object.values(named) : [];
}

/** An option that cannot be shown unchanged is dropped, because a changed option would be another value. */
function safeInput({ id, secret, required, options, description }: InputRequest): InputRequest {
  const shown = options?.filter((option) => option.length <= LONGEST_NAME && safeLine(option) === option);
  return {
    id,
    ...(secret === true && { secret }),
    ...(required === true && { required }),
    ...(shown !== undefined && { options: shown.slice(0, MOST_OPTIONS) }),
    ...(description !== undefined && { description: safeLine(description.slice(0, 1_000)) }),
  };
}
