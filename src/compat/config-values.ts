import { isJsonObject, type JsonValue } from "../model/index.ts";
import { isFromProject, isProjectText } from "../operations/index.ts";
import { nodeEnvironment, nodePorts } from "../platform/node/index.ts";
import { createValueCommands, sourceOf, type ValueCommands, variableNamed } from "../values/index.ts";

type Variables = Readonly<Record<string, string | undefined>>;

const PLACEHOLDER = /\$\{([^}:]+)(?::-([^}]*))?\}/g;

/**
 * `${VAR}` and `${VAR:-default}` in every text, however deep. A variable that is not set stays as it is written. A config that
 * was read from a repository's file is returned as it is: its values are filled in once the user approved it, by the host.
 */
export function expandEnvVarsDeep<T extends JsonValue>(
  value: T,
  env: Variables = nodeEnvironment().variables,
): T {
  return expand(value, env) as T;
}

function expand(value: JsonValue, env: Variables): JsonValue {
  if (typeof value === "string") {
    return value.replace(PLACEHOLDER, (whole, name: string, otherwise?: string) => {
      const found = own(env, name);
      if (otherwise === undefined) return found ?? whole;
      return found === undefined || found === "" ? otherwise : found;
    });
  }
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map((item) => expand(item, env));
  if (!isJsonObject(value) || isFromProject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, expand(member, env)]));
}

/** Answers of commands, for the life of the process, by the variables that they see. */
const commandsOf = new WeakMap<Variables, ValueCommands>();

/**
 * One header or env value: `!command` is its output, the name of a variable is what it holds, anything else is itself.
 * Returns `undefined` if a command fails or prints nothing: omit the entry then. Also returns `undefined` for a command from a
 * repository's file, and the text itself for a name from one: the host resolves those once the user approved them.
 */
export async function resolveConfigValue(
  value: string,
  env: Variables = nodeEnvironment().variables,
): Promise<string | undefined> {
  const source = sourceOf(value);
  if (isProjectText(value)) return source?.kind === "command" ? undefined : value;
  if (source?.kind !== "command") return variableNamed(value, env) ?? value;
  const commands =
    commandsOf.get(env) ?? createValueCommands(nodePorts(), { ...nodeEnvironment(), variables: env });
  commandsOf.set(env, commands);
  const output = await commands.value(source.name, nodeEnvironment().cwd);
  return "text" in output ? output.text : undefined;
}

function own(env: Variables, name: string): string | undefined {
  return Object.hasOwn(env, name) ? env[name] : undefined;
}
