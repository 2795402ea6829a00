import type { Processes, RunningProcess, SpawnRequest } from "../../src/platform/index.ts";
import { type Fate, failure } from "./fate.ts";

/** Other programs: they do not start, die while they talk, no longer read, or are not reached by a signal. */
export function failingProcesses(real: Processes, fate: Fate): Processes {
  return {
    ownPid: real.ownPid,
    place: real.place,
    // It cannot be told: the process may be somebody else's.
    isAlive: (pid) => fate.isDue("processes.isAlive") || real.isAlive(pid),
    spawn(request) {
      if (fate.isDue(`processes.spawn ${request.command}`, "spawn")) return spoiltStart(real, request, fate);
      return failingProcess(real.spawn(request), fate);
    },
  };
}

function spoiltStart(real: Processes, request: SpawnRequest, fate: Fate): RunningProcess {
  const how = fate.pick(["missing", "refused", "killed"]);
  if (how === "refused") throw failure("ENOMEM", "processes.spawn");
  if (how === "missing") return real.spawn({ ...request, command: `${request.command}-that-is-not-there` });
  const running = real.spawn(request);
  running.signal("SIGKILL");
  return running;
}

function failingProcess(running: RunningProcess, fate: Fate): RunningProcess {
  let isBroken = false;
  return {
    pid: running.pid,
    ended: running.ended,
    async write(text) {
      if (!isBroken && !fate.isDue("process.write", "write")) return running.write(text);
      // A pipe that broke stays broken. Half of what was written may have come through.
      if (!isBroken && fate.pick([true, false]))
        running.write(text.slice(0, text.length / 2)).catch(() => {});
      isBroken = true;
      throw failure("EPIPE", "process.write");
    },
    endInput() {
      if (!fate.isDue("process.endInput: it does not notice", "signal")) running.endInput();
    },
    onOutput(listener) {
      running.onOutput((chunk) => {
        if (!fate.isDue("process.output: it is killed in the middle")) return listener(chunk);
        void listener(chunk.slice(0, chunk.length / 2));
        running.signal("SIGKILL");
      });
    },
    onOutputEnd: (listener) => running.onOutputEnd(listener),
    onErrorOutput: (listener) => running.onErrorOutput(listener),
    signal(name) {
      if (!fate.isDue(`process.signal ${name}: it is not reached`)) running.signal(name);
    },
    hasExited: () => running.hasExited(),
    // Nothing to be seen of it, though it may be there.
    groupIsAlive: () => !fate.isDue("process.groupIsAlive: not seen") && running.groupIsAlive(),
    async signalStrays(name) {
      if (fate.isDue(`process.signalStrays ${name}`)) throw failure("EMFILE", "process.signalStrays");
      return running.signalStrays(name);
    },
    release: () => running.release(),
  };
}
