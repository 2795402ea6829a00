import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import type { Duplex, Writable } from "node:stream";
import { codeOf } from "../../model/index.ts";
import type { ProcessEnd, Processes, RunningProcess, SpawnRequest } from "../index.ts";
import { type Descendants, followDescendants } from "./descendants.ts";
import { withoutInherited } from "./inherited-descriptors.ts";
import {
  findMarked,
  killMarked,
  nextRun,
  RUN_VARIABLE,
  runValue,
  setOldestServer,
} from "./marked-processes.ts";
import { placeOf } from "./place.ts";
import { availableMemory, usageOf } from "./process-usage.ts";
import { readStream } from "./read-stream.ts";
import { startReaper, stopReaper } from "./reaper.ts";
import { signalWithGroup, tryKill } from "./signal.ts";
import { systemProgram } from "./system-program.ts";

/** Signals a child and its process group or process tree. 0 only checks. Returns whether any process was running. */
type SignalGroup = (name: NodeJS.Signals | 0) => boolean;

/** Ends a child and everything it started, without waiting. */
type EndAtExit = () => void;

/** Process-wide, because one exit handler and one reaper serve all hosts. */
const watched = new Set<EndAtExit>();

/** After this time, a process that starts others faster than they can be killed is left to the reaper. */
const MOST_KILLING_MS = 30_000;

/** Creates the process port for this system, or for the given platform. */
export function createNodeProcesses(platform: string = process.platform): Processes {
  let place: string | undefined;
  return {
    ownPid: process.pid,
    // A program with another name may be an application that contains Node.
    runtime: /(?:^|\/)(?:node|bun)$/.test(process.execPath) ? process.execPath : undefined,
    get memoryBytes() {
      return availableMemory();
    },
    get place() {
      place ??= placeOf(platform); // needed only to lock files
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

function spawnInGroup(request: SpawnRequest, platform: string): RunningProcess {
  const { command, args, cwd, env, verbatim = false, mayLeaveProcesses = false } = request;
  const { isConfined = false, endsByItself = false, inputs = [] } = request;
  const isWindows = platform === "win32";
  const run = nextRun(mayLeaveProcesses);
  let child: ChildProcess | undefined;
  let descendants: Descendants | undefined;
  const signalGroup: SignalGroup = (name) =>
    child?.pid !== undefined && (isWindows ? signalTree(child, name) : tryKill(-child.pid, name));
  const endAtExit: EndAtExit = () => {
    descendants?.scanAtExit();
    signalGroup("SIGKILL");
  };
  if (!endsByItself) watch(endAtExit, isWindows);
  try {
    child = spawn(command, args, {
      cwd,
      env: withRun(env, run),
      detached: !isWindows,
      windowsHide: true,
      windowsVerbatimArguments: verbatim,
      stdio: [
        "pipe",
        "pipe",
        "pipe",
        ...inputs.map(() => "pipe" as const),
        ...(isConfined ? withoutInherited(platform).slice(inputs.length) : []),
      ],
    });
    writeInputs(child, inputs);
  } finally {
    if (child?.pid === undefined) unwatch(endAtExit); // nothing was started
  }
  if (child.pid !== undefined && !endsByItself) {
    if (watched.size === 1) setOldestServer(child.pid);
    // On Windows, `taskkill` finds the descendants itself.
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

/** The streams also have a readable side, which must be read to its end. Otherwise the child would never emit `close`. */
function writeInputs(child: ChildProcess, inputs: readonly Uint8Array[]): void {
  for (const [index, data] of inputs.entries()) {
    const stream = child.stdio[index + 3] as Duplex | null | undefined; // pipes above 2 can be read and written
    if (stream == null) continue;
    stream.on("error", () => {}); // a process that ends before it read everything says itself why
    stream.resume();
    stream.end(data);
  }
}

/**
 * Adds the mark to the environment. It comes first, because only the start of an environment is searched. Numbers are
 * omitted: as keys of an object they come before all other names.
 */
function withRun(env: SpawnRequest["env"], run: string): SpawnRequest["env"] {
  const others = Object.entries(env).filter(([name]) => name !== RUN_VARIABLE && !/^\d+$/.test(name));
  return { [RUN_VARIABLE]: runValue(run), ...Object.fromEntries(others) };
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
  // If too many files are open, Node returns a child without streams and emits the error later.
  const { stdin, stdout, stderr }: Partial<Pick<ChildProcess, "stdin" | "stdout" | "stderr">> = child;

  const ended = new Promise<ProcessEnd>((resolve) => {
    child.once("error", (failure) => {
      if (child.pid === undefined) resolve({ code: undefined, signal: undefined, failure });
    });
    child.once("exit", (code, signal) => {
      const end = { code: code ?? undefined, signal: signal ?? undefined, failure: undefined };
      // The last output may not have been read yet, but a grandchild that keeps the pipes open must not delay the end.
      // If the process was busy, the timer fires before output that has already arrived. One more turn lets it be read.
      const timer = setTimeout(() => setImmediate(resolve, end), 150);
      child.once("close", () => {
        clearTimeout(timer);
        resolve(end);
      });
    });
  });
  // `write` reports a write after the child closed its input. Without a listener, the event would end this process.
  stdin?.on("error", () => {});

  return {
    pid: child.pid,
    ended,
    hasExited: () => !isRunning(child),
    ...createInput(stdin, async () => void (await descendants?.signal(0))),
    onOutput(listener) {
      if (!stdout) return;
      readStream(stdout, (chunk) => {
        // Finds everything the process started before it responded, even if it ends right after.
        descendants?.scanAgain();
        return listener(chunk);
      });
    },
    onOutputEnd: (listener) => void stdout?.once("end", listener),
    onErrorOutput: (listener) => void stderr?.on("data", listener),
    signal(name) {
      // Descendants can be found by their parent only while the parent is running.
      if (descendants === undefined) signalGroup(name);
      else descendants.scan(() => signalGroup(name));
    },
    groupIsAlive: () => signalGroup(0),
    signalStrays: async (name) => platform !== "win32" && signalStrays({ run, descendants, platform }, name),
    usage: async (exact) =>
      descendants === undefined ? undefined : usageOf(descendants.pids(), platform, exact),
    release() {
      descendants?.stop();
      release();
    },
  };
}

/**
 * Combines everything written in one turn into one write, because the system call is the most expensive part of a
 * message.
 */
function createInput(
  stream: Writable | null | undefined,
  beforeEnd: () => Promise<void>,
): Pick<RunningProcess, "write" | "endInput"> {
  let text = "";
  let written: Promise<void> | undefined;
  /** Never resolves. */
  const broken = new Promise<void>((_, reject) => {
    stream?.once("error", reject);
    stream?.once("close", () => reject(new Error("standard input is closed")));
  });
  broken.catch(() => {}); // every write returns it
  const flush = (resolve: () => void, reject: (error: Error) => void): void => {
    const piece = text;
    text = "";
    written = undefined;
    if (!stream) reject(new Error("the process has no standard input"));
    else stream.write(piece, (error) => (error ? reject(error) : resolve()));
  };
  return {
    write(more, isImmediate = false) {
      if (isImmediate && stream && written === undefined) {
        stream.write(more); // without a callback, which would cost another turn
        return broken;
      }
      text += more;
      // Runs after all promises that have already settled, but before any I/O.
      written ??= new Promise((resolve, reject) => process.nextTick(flush, resolve, reject));
      return written;
    },
    endInput: () => void Promise.allSettled([written, beforeEnd()]).then(() => stream?.end()),
  };
}

/**
 * Ends the child together with this process until it is released. Called before the child starts, so that the reaper
 * already has the mark if this process is killed right after.
 */
function watch(endAtExit: EndAtExit, isWindows: boolean): void {
  if (watched.size === 0) process.on("exit", killWatched);
  watched.add(endAtExit);
  if (!isWindows) startReaper();
}

function unwatch(endAtExit: EndAtExit): void {
  if (!watched.delete(endAtExit) || watched.size > 0) return;
  process.off("exit", killWatched);
  setOldestServer(undefined);
  stopReaper();
}

/** Ends a process tree on Windows, which has neither process groups nor SIGTERM. `taskkill` finds the descendants. */
function signalTree(child: ChildProcess, name: NodeJS.Signals | 0): boolean {
  const found = isRunning(child);
  if (found && name !== 0) {
    const { command, options } = systemProgram("taskkill", "win32");
    const args = ["/pid", String(child.pid), "/T", "/F"];
    spawnSync(command, args, { ...options, stdio: "ignore", windowsHide: true });
  }
  return found;
}

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}

/**
 * Signals processes that were just found by their mark, or by parent and start time. This never signals an unrelated
 * process that reuses an id.
 */
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

/**
 * Repeats while it finds new processes, because a process can start another before it is killed. Ignores those that
 * cannot be killed.
 */
async function killStrays({ run, descendants, platform }: Followed): Promise<boolean> {
  const deadline = performance.now() + MOST_KILLING_MS;
  let before: ReadonlySet<number> = new Set();
  let found: ReadonlySet<number> = new Set();
  do {
    before = found;
    // Descendants of marked processes can be found by their parent only while the parent is running.
    await descendants?.signal(0).catch(() => {});
    const marked = await killMarked(run, platform);
    found = new Set([...marked, ...((await descendants?.signal("SIGKILL")) ?? [])]);
  } while ([...found].some((pid) => !before.has(pid)) && performance.now() < deadline);
  return before.size > 0 || found.size > 0;
}

/** Runs if the program exits without closing its host. The reaper ends processes that left their groups. */
function killWatched(): void {
  for (const endAtExit of watched) endAtExit();
}
