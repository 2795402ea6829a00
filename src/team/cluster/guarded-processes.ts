import { HostError } from "../../model/index.ts";
import type { Processes, RunningProcess } from "../../platform/index.ts";

/**
 * Wraps processes. If another gateway may have started the same programs, for example because this one was suspended, a process is
 * killed instead of written to.
 */
export function guardedProcesses(processes: Processes, mayServe: () => boolean): Processes {
  const guarded = Object.create(processes) as Processes;
  const interrupted = (): HostError =>
    new HostError(
      "CONNECTION_LOST",
      "The call was interrupted, because another gateway may run this server now.",
    );
  return Object.assign(guarded, {
    spawn(request: Parameters<Processes["spawn"]>[0]): RunningProcess {
      if (!mayServe()) throw interrupted();
      const child = processes.spawn(request);
      const write: RunningProcess["write"] = async (text, isImmediate) => {
        if (mayServe()) return child.write(text, isImmediate);
        child.signal("SIGKILL");
        throw interrupted();
      };
      return Object.assign(Object.create(child) as RunningProcess, { write });
    },
  });
}
