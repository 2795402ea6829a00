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
import { toPlainValue } from "../../values/index.ts";
import type { Workspace } from "../workspace.ts";
import type { RegistryEntry, RegistryLaunch } from "./registry-api.ts";

type Refused = RegistryEntry["refused"][number];

/** A registry entry may start these programs only, which run the package that it names. */
const RUNNERS: ReadonlySet<string> = new Set(["npx", "bunx", "uvx", "pipx", "docker", "podman", "dnx"]);
const MOST_WORDS = 200;
const LONGEST_WORD = 4_000;
const MOST_INPUTS = 50;

/** Converts a template to a native entry. Texts of the registry must not become references to variables, secrets or commands. */
export function toLaunch(
  { environment }: Workspace,
  { fields, owner, inputs }: ServerTemplate,
  kind: string,
): RegistryLaunch | Refused {
  const refuse = (reason: string): Refused => ({ kind, reason });
  if (kind === "mcpb")
    return refuse("bundles are not supported here; download the file and use its manifest");
  if (owner?.valid === false) return refuse("its description is not complete");
  const { type, command, args, env, url, headers, package: started } = fields;
  if (started !== undefined) return refuse("its package must be started by hand before it can be reached");
  const words = [command, ...(isList(args) ? args : []), url, ...valuesOf(env), ...valuesOf(headers)].filter(
    (word): word is JsonValue => word !== undefined,
  );
  if (!words.every((word) => typeof word === "string")) return refuse("its launch is not valid");
  if (
    words.length > MOST_WORDS ||
    inputs.length > MOST_INPUTS ||
    words.some((word) => word.length > LONGEST_WORD)
  )
    return refuse("its launch is too long");
  const defaults = inputs.map((input) => input.default ?? "");
  const isReference = (text: JsonValue): boolean =>
    typeof text === "string" && /^(?:!|file:|keychain:|env:)/.test(text);
  const filled = [...words, ...defaults];
  if (
    filled.some((word) => word.includes("${") || safeLine(word) !== word) ||
    [...valuesOf(env), ...valuesOf(headers), ...defaults].some(isReference)
  )
    return refuse("its launch contains control characters, or refers to variables, secrets or commands");
  if (typeof command === "string" && !RUNNERS.has(command))
    return refuse(`it would start "${command}", which is not a package runner`);
  const plain = (named: JsonValue | undefined): JsonObject =>
    Object.fromEntries(
      Object.entries(isJsonObject(named) ? named : {}).map(([key, value]) => [
        key,
        toPlainValue(String(value), environment.variables),
      ]),
    );
  const server: JsonObject = {
    ...(type !== undefined && { type }),
    ...(command !== undefined && { command }),
    ...(args !== undefined && { args }),
    ...(url !== undefined && { url }),
    ...(isJsonObject(env) && { env: plain(env) }),
    ...(isJsonObject(headers) && { headers: plain(headers) }),
  };
  const [wrong] = url?.toString().includes("{") === true ? [] : checkNewEntry("server", server);
  return wrong === undefined
    ? { kind, server, inputs: inputs.map((input) => safeInput(input, environment.variables)) }
    : refuse(wrong);
}

function valuesOf(named: JsonValue | undefined): JsonValue[] {
  return isJsonObject(named) ? Object.values(named) : [];
}

function safeInput(
  { id, secret, required, default: fallback, options, description }: InputRequest,
  variables: Workspace["environment"]["variables"],
): InputRequest {
  return {
    id,
    ...(secret === true && { secret }),
    ...(required === true && { required }),
    ...(fallback !== undefined && { default: toPlainValue(fallback, variables) }),
    ...(options !== undefined && { options: options.slice(0, 100) }),
    ...(description !== undefined && { description: safeLine(description.slice(0, 1_000)) }),
  };
}
