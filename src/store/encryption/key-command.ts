import { isJsonObject } from "../../model/index.ts";
import type { Environment, Ports } from "../../platform/index.ts";

/** The standard input of a key command, as one line of JSON. The command prints `{ "data": "<Base64>" }`. */
export interface KeyRequest {
  readonly operation: "wrap" | "unwrap";
  /** The id of the key in the configuration. */
  readonly id: string;
  /** Must be the same for both operations. A key management service takes it as an encryption context. */
  readonly context: string;
  readonly data: string;
}

const RUN_MS = 15_000;
const MOST_OUTPUT = 64 * 1024;

/**
 * Runs a command that wraps or unwraps a key. Rejects with an error whose message describes what the command did. Its name is added
 * before the message.
 */
export async function runKeyCommand(
  [command, ...args]: readonly [string, ...string[]],
  request: KeyRequest,
  { processes, clock }: Pick<Ports, "processes" | "clock">,
  { cwd, variables }: Environment,
): Promise<Uint8Array> {
  const env = Object.fromEntries(
    Object.entries(variables).flatMap(([name, text]) => (text === undefined ? [] : [[name, text]])),
  );
  const child = processes.spawn({ command, args, cwd, env });
  let output = "";
  let problem: string | undefined;
  const kill = (why: string): void => {
    problem ??= why;
    child.signal("SIGKILL");
  };
  const decoder = new TextDecoder();
  child.onErrorOutput(() => {}); // it may contain secrets
  child.onOutput((chunk) => {
    output += decoder.decode(chunk, { stream: true });
    if (output.length > MOST_OUTPUT) kill("printed more than 64 KB");
  });
  const stopTimer = clock.after(RUN_MS, () => kill(`did not end within ${RUN_MS / 1_000} s`));
  try {
    child.write(`${JSON.stringify(request)}\n`).catch(() => {}); // its exit code or signal explains why it did not read
    child.endInput();
    const { code, failure } = await child.ended;
    if (failure !== undefined) throw new Error(`could not be started: ${failure.message}`);
    if (problem !== undefined) throw new Error(problem);
    if (code !== 0) throw new Error(`failed with code ${code ?? "unknown"}`);
  } finally {
    stopTimer();
    child.release();
  }
  return parseAnswer(output);
}

function parseAnswer(output: string): Uint8Array {
  let answer: unknown;
  try {
    answer = JSON.parse(output);
  } catch {
    throw new Error("did not print JSON"); // without its output, which may be a key
  }
  const data = isJsonObject(answer) ? answer["data"] : undefined;
  const bytes = typeof data === "string" ? Buffer.from(data, "base64") : undefined;
  if (bytes === undefined || bytes.length === 0) throw new Error('did not print "data"');
  return bytes;
}
