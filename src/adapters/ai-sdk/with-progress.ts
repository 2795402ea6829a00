import type { ToolProgress } from "../../index.ts";
import type { AiSdkOutput } from "./ai-sdk-output.ts";

/** The progress of a call as it comes, and then its answer. Of what comes faster than it is taken, only the latest is kept. */
export async function* withProgress(
  call: (report: (progress: ToolProgress) => void) => Promise<AiSdkOutput>,
): AsyncGenerator<AiSdkOutput, void, undefined> {
  let latest: ToolProgress | undefined;
  let wake: () => void = () => undefined;
  const answer = call((progress) => {
    latest = progress;
    wake();
  });
  const ended = answer.then(
    () => true,
    () => true,
  );
  for (;;) {
    const news = new Promise<boolean>((resolve) => {
      wake = () => resolve(false);
    });
    if (latest === undefined && (await Promise.race([ended, news]))) break;
    const progress: ToolProgress | undefined = latest;
    latest = undefined;
    if (progress !== undefined) yield preliminary(progress);
  }
  yield await answer;
}

function preliminary(progress: ToolProgress): AiSdkOutput {
  const { progress: done, total, message } = progress;
  const text = message ?? (total === undefined ? String(done) : `${done} of ${total}`);
  return { text, parts: [], isError: false, progress };
}
