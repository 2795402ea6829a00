import { isJsonObject, type JsonValue, memoize } from "../model/index.ts";
import { isProjectPlaceholder, isProjectValue, isUserText, tierOfPart } from "../operations/index.ts";
import { nodeEnvironment, nodePorts } from "../platform/node/index.ts";
import { createValueCommands, sourceOf, variableValue } from "../values/index.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/** The second alternative skips what is not a placeholder, so that a text with many openings takes linear time. */
const PLACEHOLDER = /\$\{(?:([^}:]+)(?::-([^}]*))?\}|[^}:]*(?::-[^}]*$)?)/g;

/**
 * Resolves `${VAR}` and `${VAR:-default}` in all texts, at any depth. A placeholder for an unset variable stays as written. So does a
 * placeholder for a variable that a project's config refers to, except in texts from the user's own files. The host resolves it once
 * the user has approved the project's config.
 */
export function expandEnvVarsDeep<T extends JsonValue>(
  value: T,
  env: Variables = nodeEnvironment().variables,
): T {
  return expand(value, env, false) as T;
}

function expand(value: JsonValue, env: Variables, isInUserConfig: boolean): JsonValue {
  if (typeof value === "string") return expandText(value, env, isInUserConfig);
  if (typeof value !== "object" || value === null) return value;
  const tier = tierOfPart(value);
  if (tier === "project") return value;
  const expandPart = (part: JsonValue): JsonValue => expand(part, env, tier !== undefined);
  if (!isJsonObject(value)) return value.map(expandPart);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, expandPart(member)]));
}

function expandText(text: string, env: Variables, isInUserConfig: boolean): string {
  return text.replace(PLACEHOLDER, (whole, name?: string, otherwise?: string) => {
    if (name === undefined) return whole;
    if (isProjectPlaceholder(name) && !isUserText(text, isInUserConfig)) return whole;
    const found = own(env, name);
    if (otherwise === undefined) return found ?? whole;
    return found === undefined || found === "" ? otherwise : found;
  });
}

/** The output of commands by environment, cached until the process ends. */
const commandsFor = memoize((variables: Variables) =>
  createValueCommands(nodePorts(), { ...nodeEnvironment(), variables }),
);

/**
 * Resolves a header or `env` value. `!command` becomes the command's output, the name of a variable becomes its value, and any other
 * text stays unchanged. Returns `undefined` if a command fails or prints nothing; omit the entry then.
 *
 * Does not resolve values from a project's config: returns `undefined` for a command and the text itself for a name. The host
 * resolves them once the user has approved them.
 */
export async function resolveConfigValue(
  value: string,
  env: Variables = nodeEnvironment().variables,
): Promise<string | undefined> {
  const source = sourceOf(value);
  if (isProjectValue(value)) return source?.kind === "command" ? undefined : value;
  if (source?.kind !== "command") return variableValue(value, env) ?? value;
  const output = await commandsFor(env).value(source.name, nodeEnvironment().cwd);
  return "text" in output ? output.text : undefined;
}

function own(env: Variables, name: string): string | undefined {
  return Object.hasOwn(env, name) ? env[name] : undefined;
}
