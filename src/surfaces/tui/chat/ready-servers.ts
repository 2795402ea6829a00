import type { Host, ServerStateKind } from "../../../index.ts";

/** A server that has no part in a turn, and why. */
export interface AbsentServer {
  readonly name: string;
  readonly state: ServerStateKind;
  readonly because?: string;
}

export interface ReadyServers {
  readonly ready: readonly string[];
  readonly absent: readonly AbsentServer[];
}

/** States in which a server is not going to answer by itself. */
const OUT_OF_REACH: ReadonlySet<ServerStateKind> = new Set([
  "needs_auth",
  "needs_client_registration",
  "untrusted",
  "failed",
  "invalid",
]);

/** Waits, but not for long, until it is known what the servers offer. One that is slow keeps no other waiting. */
export async function findReadyServers(
  host: Host,
  withinMs: number,
  signal: AbortSignal,
): Promise<ReadyServers> {
  const answered = new Set<string>();
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), withinMs);
  const enough = AbortSignal.any([signal, limit.signal]);
  const stopped = new Promise<void>((resolve) => {
    if (enough.aborted) resolve();
    else enough.addEventListener("abort", () => resolve(), { once: true });
  });
  const candidates = host.servers().filter(({ state }) => state !== "disabled");
  const ask = async (name: string): Promise<void> => {
    const session = host.session({ servers: [name] });
    await session.tools().finally(() => session.close());
    answered.add(name);
  };
  await Promise.race([
    stopped,
    Promise.allSettled(
      candidates
        .filter(({ state }) => !OUT_OF_REACH.has(state) || state === "failed")
        .map(({ name }) => ask(name)),
    ),
  ]);
  clearTimeout(timer);
  const absent = host
    .servers()
    .filter(({ name, state }) => state !== "disabled" && (OUT_OF_REACH.has(state) || !answered.has(name)))
    .map(({ name, state, because }) => ({ name, state, ...(because !== undefined && { because }) }));
  const gone = new Set(absent.map(({ name }) => name));
  return { ready: candidates.map(({ name }) => name).filter((name) => !gone.has(name)), absent };
}
