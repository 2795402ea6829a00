import { memoize } from "../../model/index.ts";
import type { Environment, Ports, Processes } from "../../platform/index.ts";
import { explainRefusal, SANDBOX_PROGRAMS, TRIAL } from "../../sandbox/index.ts";

/** The result of starting an empty sandbox, once per process. The kernel's settings rarely change while a process runs. */
const trials = memoize((_: Processes) => new Map<string, Promise<string | undefined>>());

/** Returns why servers cannot be sandboxed on this system; `undefined` if they can. */
export async function missingSandbox(
  { platform }: Pick<Environment, "platform">,
  { files, processes }: Pick<Ports, "files" | "processes">,
): Promise<string | undefined> {
  const programs = SANDBOX_PROGRAMS[platform];
  if (programs === undefined) return "Plugboard has no sandbox for this system";
  const present = await files.present(programs);
  const program = programs.find((path) => present.has(path));
  if (program === undefined)
    return platform === "linux" ? "bubblewrap is not installed" : `${programs[0]} does not exist`;
  if (platform !== "linux") return undefined;
  const known = trials(processes);
  const trial = known.get(program) ?? tryOut(program, processes);
  known.set(program, trial);
  return trial;
}

/** The kernel may refuse namespaces to bubblewrap, for example in a container. */
async function tryOut(command: string, processes: Processes): Promise<string | undefined> {
  const trial = { command, args: TRIAL, cwd: "/", env: {}, isConfined: true, endsByItself: true };
  const child = processes.spawn(trial);
  let text = "";
  child.onOutput(() => {});
  child.onErrorOutput((chunk) => (text += new TextDecoder().decode(chunk.subarray(0, 1_000))));
  child.endInput();
  const { code } = await child.ended;
  child.release();
  return code === 0 ? undefined : explainRefusal(text);
}
