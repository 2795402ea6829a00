import { onAbort } from "../../platform/index.ts";
import type { Workspace } from "../workspace.ts";

/** Runs work with a signal that fires when the caller's signal fires or the host is closed. */
export async function withEitherSignal<T>(
  { closeSignal }: Pick<Workspace, "closeSignal">,
  signal: AbortSignal | undefined,
  work: (either: AbortSignal) => Promise<T>,
): Promise<T> {
  if (signal === undefined || signal === closeSignal) return work(closeSignal);
  const either = new AbortController();
  // `AbortSignal.any` would leave a part of every call in a signal that lives longer.
  const stops = [signal, closeSignal].map((one) => onAbort(one, () => either.abort(one.reason)));
  try {
    for (const one of [signal, closeSignal]) if (one.aborted) either.abort(one.reason);
    return await work(either.signal);
  } finally {
    for (const stop of stops) stop();
  }
}
