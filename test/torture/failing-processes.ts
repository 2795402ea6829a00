import type { Processes, RunningProcess, SpawnRequest } from "../../src/platform/index.ts";
import { type Fate, failure } from "./fate.ts";

/** Other programs: they fail to start, die during an exchange, stop reading, or do not get a signal. */
export function failingProcesses(real: Processes, fate: Fate): Processes {
  return {
    ownPid: real.ownPid,
    place: real.place,
    // Unknown: the process may belong to another user.
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
      // A broken pipe stays broken. A part of the data may have arrived.
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
    // It is not visible, although it may exist.
    groupIsAlive: () => !fate.isDue("process.groupIsAlive: not seen") && running.groupIsAlive(),
    async signalStrays(name) {
      if (fate.isDue(`process.signalStrays ${name}`)) throw failure("EMFILE", "process.signalStrays");
      return running.signalStrays(name);
    },
    release: () => running.release(),
  };
}
