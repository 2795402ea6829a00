import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import type { Writable } from "node:stream";
import { codeOf } from "../../model/index.ts";
import type { ProcessEnd, Processes, RunningProcess, SpawnRequest } from "../index.ts";
import { type Descendants, followDescendants } from "./descendants.ts";
import { findMarked, killMarked, nextRun, noteOldest, RUN_VARIABLE, runValue } from "./marked-processes.ts";
import { ownProgram } from "./own-program.ts";
import { placeOf } from "./place.ts";
import { readStream } from "./read-stream.ts";
import { startReaper, stopReaper } from "./reaper.ts";
import { signalWithGroup, tryKill } from "./signal.ts";

/** Signals a child and all that its system knows to belong to it; 0 only looks. Answers whether there was anything. */
type SignalGroup = (name: NodeJS.Signals | 0) => boolean;

/** Ends a child and all that it started, without waiting. */
type EndAtExit = () => void;

/** Process-wide, because one exit handler and one reaper serve all hosts. */
const watched = new Set<EndAtExit>();

/** A process that starts others faster than they can be killed is left to the reaper after that time. */
const LONGEST_CHASE_MS = 30_000;

/** Processes as this system has them, or as the one that is named has. */
export function createNodeProcesses(platform: string = process.platform): Processes {
  let place: string | undefined;
  return {
    ownPid: process.pid,
    get place() {
      place ??= placeOf(platform); // only the processes that lock a file need it
      return place;
    },
    spawn: (request) => spawnInGroup(request, platform),
    isAlive(pid) {
      try {
        process.kill(pid, 0);
        return true;
      } catch (error) {
        return codeOf(error) === "EPERM";
      }
    },
  };
}

function spawnInGroup(
  { command, args, cwd, env, verbatim = false, mayLeaveProcesses = false }: SpawnRequest,
  platform: string,
): RunningProcess {
  const isWindows = platform === "win32";
  const run = nextRun(mayLeaveProcesses);
  let child: ChildProcess | undefined;
  let descendants: Descendants | undefined;
  const signalGroup: SignalGroup = (name) =>
    child?.pid !== undefined && (isWindows ? signalTree(child, name) : tryKill(-child.pid, name));
  const endAtExit: EndAtExit = () => {
    descendants?.lookAtExit();
    signalGroup("SIGKILL");
  };
  watch(endAtExit, isWindows);
  try {
    child = spawn(command, args, {
      cwd,
      env: withRun(env, run),
      detached: !isWindows,
      windowsHide: true,
      windowsVerbatimArguments: verbatim,
      stdio: ["pipe", "pipe", "pipe"],
    });
  } finally {
    if (child?.pid === undefined) unwatch(endAtExit); // nothing was started
  }
  if (child.pid !== undefined) {
    if (watched.size === 1) noteOldest(child.pid);
    // Windows follows them itself, when it is told to end the tree.
    if (!isWindows) descendants = followDescendants(child.pid, platform);
  }
  return runningProcess(child, {
    run,
    platform,
    descendants,
    signalGroup,
    release: () => unwatch(endAtExit),
  });
}

/** The mark comes first, because only the start of an environment is read. */
function withRun(env: SpawnRequest["env"], run: string): SpawnRequest["env"] {
  const { [RUN_VARIABLE]: _, ...others } = env;
  return { [RUN_VARIABLE]: runValue(run), ...others };
}

interface Followed {
  readonly run: string;
  readonly platform: string;
  readonly descendants: Descendants | undefined;
}

interface Started extends Followed {
  readonly signalGroup: SignalGroup;
  release(): void;
}

function runningProcess(
  child: ChildProcess,
  { run, platform, descendants, signalGroup, release }: Started,
): RunningProcess {
  // Where no more files can be opened, Node gives a child without streams, and says so a moment later.
  const { stdin, stdout, stderr }: Partial<Pick<ChildProcess, "stdin" | "stdout" | "stderr">> = child;

  const ended = new Promise<ProcessEnd>((resolve) => {
    child.once("error", (failure) => {
      if (child.pid === undefined) resolve({ code: undefined, signal: undefined, failure });
    });
    child.once("exit", (code, signal) => {
      const end = { code: code ?? undefined, signal: signal ?? undefined, failure: undefined };
      // Its last output may still be on the way; a grandchild that keeps the pipes open must not hold up the news.
      // After a busy time the timer comes before the output that is already there; one more turn lets it in.
      const timer = setTimeout(() => setImmediate(resolve, end), 150);
      child.once("close", () => {
        clearTimeout(timer);
        resolve(end);
      });
    });
  });
  // A write after the child closed its input is reported by `write`; the stream's own event would end the process.
  stdin?.on("error", () => {});

  return {
    pid: child.pid,
    ended,
    hasExited: () => !isRunning(child),
    ...createInput(stdin, async () => void (await descendants?.signal(0))),
    onOutput(listener) {
      // Whatever it started before it answered is seen, also if it ends right after.
      if (descendants !== undefined) stdout?.on("data", descendants.lookAgain);
      if (stdout) readStream(stdout, listener);
    },
    onOutputEnd: (listener) => void stdout?.once("end", listener),
    onErrorOutput: (listener) => void stderr?.on("data", listener),
    signal(name) {
      // What it started is known by its parent only while that is running.
      if (descendants === undefined) signalGroup(name);
      else descendants.look(() => signalGroup(name));
    },
    groupIsAlive: () => signalGroup(0),
    signalStrays: async (name) => platform !== "win32" && signalStrays({ run, descendants, platform }, name),
    release() {
      descendants?.stop();
      release();
    },
  };
}

/** What is written within one turn goes out in one piece: a system call costs more than all else about a message. */
function createInput(
  stream: Writable | null | undefined,
  beforeEnd: () => Promise<void>,
): Pick<RunningProcess, "write" | "endInput"> {
  let text = "";
  let written: Promise<void> | undefined;
  const flush = (resolve: () => void, reject: (error: Error) => void): void => {
    const piece = text;
    text = "";
    written = undefined;
    if (!stream) reject(new Error("it has no input"));
    else stream.write(piece, (error) => (error ? reject(error) : resolve()));
  };
  return {
    write(more) {
      text += more;
      // Later than every promise that is settled by now, and sooner than anything from outside.
      written ??= new Promise((resolve, reject) => process.nextTick(flush, resolve, reject));
      return written;
    },
    endInput: () => void Promise.allSettled([written, beforeEnd()]).then(() => stream?.end()),
  };
}

/**
 * Until it is released, it is ended with this process. Called before the program is started: the reaper has the mark by
 * then, so that this process may be killed at any moment after.
 */
function watch(endAtExit: EndAtExit, isWindows: boolean): void {
  if (watched.size === 0) process.on("exit", killWatched);
  watched.add(endAtExit);
  if (!isWindows) startReaper();
}

function unwatch(endAtExit: EndAtExit): void {
  if (!watched.delete(endAtExit) || watched.size > 0) return;
  process.off("exit", killWatched);
  noteOldest(undefined);
  stopReaper();
}

/** Windows has neither groups nor SIGTERM; its own tool follows who started whom. */
function signalTree(child: ChildProcess, name: NodeJS.Signals | 0): boolean {
  const found = isRunning(child);
  if (found && name !== 0) {
    const { command, options } = ownProgram("taskkill", "win32");
    const args = ["/pid", String(child.pid), "/T", "/F"];
    spawnSync(command, args, { ...options, stdio: "ignore", windowsHide: true });
  }
  return found;
}

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}

/** They were seen a moment ago, by mark or by parent and start time: a process id that was given to another is not hit. */
async function signalStrays(
  { run, descendants, platform }: Followed,
  name: NodeJS.Signals | 0,
): Promise<boolean> {
  if (name === "SIGKILL") return killStrays({ run, descendants, platform });
  const followed = new Set((await descendants?.signal(name)) ?? []);
  const marked = (await findMarked(platform)).get(run) ?? new Set<number>();
  if (name !== 0) for (const pid of marked) if (!followed.has(pid)) signalWithGroup(pid, name);
  return marked.size > 0 || followed.size > 0;
}

/** Again while others are found: a process that starts another in time has to be outrun. Those that cannot be killed stay the same. */
async function killStrays({ run, descendants, platform }: Followed): Promise<boolean> {
  const deadline = performance.now() + LONGEST_CHASE_MS;
  let before: ReadonlySet<number> = new Set();
  let found: ReadonlySet<number> = new Set();
  do {
    before = found;
    // What marked processes started is known by its parent only while that is running.
    await descendants?.signal(0).catch(() => {});
    const marked = await killMarked(run, platform);
    found = new Set([...marked, ...((await descendants?.signal("SIGKILL")) ?? [])]);
  } while ([...found].some((pid) => !before.has(pid)) && performance.now() < deadline);
  return before.size > 0 || found.size > 0;
}

/** The last resort when the program ends without closing its host; the reaper ends what left the groups. */
function killWatched(): void {
  for (const endAtExit of watched) endAtExit();
}
