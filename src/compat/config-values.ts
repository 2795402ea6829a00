import { isJsonObject, type JsonValue } from "../model/index.ts";
import { nodeEnvironment, nodePorts } from "../platform/node/index.ts";

type Variables = Readonly<Record<string, string | undefined>>;

const PLACEHOLDER = /\$\{([^}:]+)(?::-([^}]*))?\}/g;

/** `${VAR}` and `${VAR:-default}` in every text, however deep. A variable that is not set stays as it is written. */
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
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, expand(member, env)]));
}

const LONGEST_MS = 10_000;
const LARGEST = 64 * 1024;

/** Answers of commands, for the life of the process. */
const answers = new Map<string, Promise<string | undefined>>();

/**
 * One header or env value: `!command` is its output, the name of a variable is what it holds, anything else is itself.
 * Nothing, where a command fails or says nothing: the entry is to be left out. Runs what it is given; for values of a
 * person's own files only.
 */
export async function resolveConfigValue(
  value: string,
  env: Variables = nodeEnvironment().variables,
): Promise<string | undefined> {
  if (!value.startsWith("!")) return own(env, value) ?? value;
  const known = answers.get(value) ?? run(value.slice(1), env);
  answers.set(value, known);
  const answer = await known;
  if (answer === undefined) answers.delete(value);
  return answer;
}

async function run(command: string, env: Variables): Promise<string | undefined> {
  const { processes, clock } = nodePorts();
  const set = Object.entries(env).flatMap(([name, text]) =>
    text === undefined ? [] : [[name, text] as const],
  );
  const child = processes.spawn({
    command: "/bin/sh",
    args: ["-c", command],
    cwd: nodeEnvironment().cwd,
    env: Object.fromEntries(set),
  });
  const chunks: Uint8Array[] = [];
  let size = 0;
  child.onOutput((chunk) => {
    size += chunk.byteLength;
    if (size > LARGEST) child.signal("SIGKILL");
    else chunks.push(chunk);
  });
  child.onErrorOutput(() => {});
  child.endInput();
  const stopTimer = clock.after(LONGEST_MS, () => child.signal("SIGKILL"));
  const { code } = await child.ended;
  stopTimer();
  child.release();
  const text = Buffer.concat(chunks).toString("utf8").trim();
  return code === 0 && size <= LARGEST && text !== "" ? text : undefined;
}

function own(env: Variables, name: string): string | undefined {
  return Object.hasOwn(env, name) ? env[name] : undefined;
}
