import type { ToolProgress } from "../../index.ts";
import type { AiSdkOutput } from "./ai-sdk-output.ts";

/** Yields the progress of a call and then its result. If progress arrives faster than it is consumed, keeps only the latest. */
export async function* withProgress(
  call: (report: (progress: ToolProgress) => void) => Promise<AiSdkOutput>,
): AsyncGenerator<AiSdkOutput, void, undefined> {
  let latest: ToolProgress | undefined;
  let isDone = false;
  let wake: (() => void) | undefined;
  const answer = call((progress) => {
    latest = progress;
    wake?.();
  });
  const end = (): void => {
    isDone = true;
    wake?.();
  };
  answer.then(end, end);
  for (;;) {
    if (latest === undefined && !isDone)
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    if (latest === undefined) break;
    const progress: ToolProgress = latest;
    latest = undefined;
    yield preliminary(progress);
  }
  yield await answer;
}

function preliminary(progress: ToolProgress): AiSdkOutput {
  const { progress: done, total, message } = progress;
  const text = message ?? (total === undefined ? String(done) : `${done} of ${total}`);
  return { text, parts: [], isError: false, progress };
}
