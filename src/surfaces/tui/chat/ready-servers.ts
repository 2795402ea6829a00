import type { Host, ServerStateKind } from "../../../index.ts";
import { STATE_TRAITS } from "../../shared/render/state.ts";

/** A server that is not available in a turn, and why. */
export interface AbsentServer {
  readonly name: string;
  readonly state: ServerStateKind;
  readonly because?: string;
}

export interface ReadyServers {
  readonly ready: readonly string[];
  readonly absent: readonly AbsentServer[];
}

/** Returns whether a server in this state may still connect without user action. */
const mayConnect = (state: ServerStateKind): boolean => state === "idle" || STATE_TRAITS[state].isUnderWay;

export interface WaitOptions {
  readonly withinMs: number;
  /** Servers that were not ready in time. Later turns do not wait for them. */
  readonly late: Set<string>;
  readonly signal: AbortSignal;
}

/** Waits a limited time for the servers' tools. A slow server does not delay the others. */
export async function findReadyServers(host: Host, patience: WaitOptions): Promise<ReadyServers> {
  const { withinMs, late, signal } = patience;
  const answered = new Set<string>();
  const ask = async (name: string): Promise<void> => {
    const session = host.session({ servers: [name] });
    await session.tools({ waitMs: withinMs, signal }).finally(() => session.close());
    if (session.snapshot().missing.length === 0) answered.add(name);
  };
  const waitedFor = host
    .servers()
    .filter(({ name, state }) => state === "connected" || (mayConnect(state) && !late.has(name)))
    .map(({ name }) => name);
  await waitAtMost(Promise.allSettled(waitedFor.map(ask)), withinMs, signal);
  const ready: string[] = [];
  const absent: AbsentServer[] = [];
  for (const { name, state, because } of host.servers()) {
    if (answered.has(name) && !STATE_TRAITS[state].needsPerson) ready.push(name);
    else if (state !== "disabled") absent.push({ name, state, ...(because !== undefined && { because }) });
  }
  for (const { name, state } of absent) if (mayConnect(state)) late.add(name);
  return { ready, absent };
}

/** Resolves when the work is done, the time is over, or the signal aborts. */
async function waitAtMost(work: Promise<unknown>, withinMs: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, withinMs);
    const finish = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", finish);
      resolve();
    };
    signal.addEventListener("abort", finish, { once: true });
    if (signal.aborted) finish();
    void work.then(finish);
  });
}
