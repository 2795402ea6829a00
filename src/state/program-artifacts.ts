import { messageOf, type ResultArtifact, toAbortError } from "../model/index.ts";
import { type Ports, unlessAborted } from "../platform/index.ts";
import type { Artifacts, SavedResult } from "./artifacts.ts";

/**
 * Saves a part of a result. Returns a reference for the model, such as a URL or an id, or `undefined` if it was not saved.
 * `signal` fires when the call is cancelled or the save takes too long.
 */
export type SaveArtifact = (
  artifact: ResultArtifact,
  context: { readonly signal: AbortSignal },
) => string | undefined | Promise<string | undefined>;

/** The time limit of one save. */
const SAVE_MS = 30_000;
/** The longest reference. A longer one would fill the model's context. */
const MOST_CHARS = 2_000;

/** Lets the program save artifacts. A function that fails, or takes too long, does not fail the call. */
export function createProgramArtifacts(
  { clock, log }: Pick<Ports, "clock" | "log">,
  save: SaveArtifact,
  principal: string | undefined,
): Artifacts {
  const saveInTime = async (artifact: ResultArtifact, result: SavedResult): Promise<unknown> => {
    const late = new AbortController();
    const stopTimer = clock.after(SAVE_MS, () => {
      result.isLate = true;
      late.abort(new Error(`the \`artifacts\` function took longer than ${SAVE_MS} ms`));
    });
    const signal = result.signal === undefined ? late.signal : AbortSignal.any([result.signal, late.signal]);
    try {
      return await unlessAborted(signal, async () => save(artifact, { signal }));
    } finally {
      stopTimer();
    }
  };
  return {
    async keep(artifact, result) {
      if (result.isLate === true) return undefined;
      try {
        const owned = principal === undefined ? artifact : { ...artifact, principal };
        const reference = await saveInTime(owned, result);
        if (reference === undefined) return undefined;
        assertReference(reference);
        return { reference, url: reference, bytes: Buffer.byteLength(artifact.content) };
      } catch (error) {
        if (result.signal?.aborted) throw toAbortError(result.signal, artifact.server);
        log.log("warn", "artifact.unwritable", { server: artifact.server, error: messageOf(error) });
        return undefined;
      }
    },
  };
}

function assertReference(value: unknown): asserts value is string {
  if (typeof value !== "string" || value === "" || value.length > MOST_CHARS || /\p{Cc}/u.test(value))
    throw new TypeError(
      `the \`artifacts\` function must return a line of at most ${MOST_CHARS} characters, or undefined`,
    );
}
