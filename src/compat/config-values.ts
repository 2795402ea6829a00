import { isJsonObject, type JsonValue, memoize } from "../model/index.ts";
import { isProjectPlaceholder, isProjectValue, isUserText, tierOfPart } from "../operations/index.ts";
import { nodeEnvironment, nodePorts } from "../platform/node/index.ts";
import { createValueCommands, sourceOf, variableNamed } from "../values/index.ts";

type Variables = Readonly<Record<string, string | undefined>>;

const PLACEHOLDER = /\$\{([^}:]+)(?::-([^}]*))?\}/g;

/**
 * `${VAR}` and `${VAR:-default}` in every text, however deep. A variable that is not set stays as it is written. So does one
 * that a repository's config has a placeholder for, wherever it is: the host fills in that config once the user approved it.
 * The texts of the user's own files are filled in.
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
  return text.replace(PLACEHOLDER, (whole, name: string, otherwise?: string) => {
    if (isProjectPlaceholder(name) && !isUserText(text, isInUserConfig)) return whole;
    const found = own(env, name);
    if (otherwise === undefined) return found ?? whole;
    return found === undefined || found === "" ? otherwise : found;
  });
}

/** The output of commands, cached for the life of the process, by the variables that they get. */
const commandsFor = memoize((variables: Variables) =>
  createValueCommands(nodePorts(), { ...nodeEnvironment(), variables }),
);

/**
 * One header or env value: `!command` is its output, the name of a variable is what it holds, anything else is itself.
 * Returns `undefined` if a command fails or prints nothing: omit the entry then. Also returns `undefined` for a command that a
 * repository's config contains, and the text itself for a name that one contains: the host resolves those once the user approved them.
 */
export async function resolveConfigValue(
  value: string,
  env: Variables = nodeEnvironment().variables,
): Promise<string | undefined> {
  const source = sourceOf(value);
  if (isProjectValue(value)) return source?.kind === "command" ? undefined : value;
  if (source?.kind !== "command") return variableNamed(value, env) ?? value;
  const output = await commandsFor(env).value(source.name, nodeEnvironment().cwd);
  return "text" in output ? output.text : undefined;
}

function own(env: Variables, name: string): string | undefined {
  return Object.hasOwn(env, name) ? env[name] : undefined;
}
