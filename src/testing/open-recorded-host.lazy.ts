import { createHash } from "node:crypto";
import { basename, dirname, join } from "node:path";
import { createHost, type Host } from "../index.ts";
import { HostError } from "../model/index.ts";
import { entryFile, nodeEnvironment } from "../platform/node/index.ts";
import type { RecordedHostOptions, RunningTest } from "./running-test.ts";

const LONGEST_NAME = 80;

/** Opens the host for a test. */
export async function openRecordedHost(
  test: RunningTest,
  { file = recordingOf(test), ...options }: RecordedHostOptions,
): Promise<Host> {
  const { variables } = nodeEnvironment(options);
  const isRecording = variables["PLUGBOARD_RECORD"] === "1";
  const host = await createHost({
    discover: false,
    ...options,
    ...(isRecording ? { record: file } : { replay: file }),
  }).catch((error: unknown) => {
    throw isRecording ? error : withAdvice(error);
  });
  const close = (): Promise<void> => host.close();
  if ("task" in test) test.onTestFinished(close);
  else test.after(close);
  return host;
}

/** Returns the file for a test's recording. The hash keeps tests with similar names apart. */
function recordingOf(test: RunningTest): string {
  const isVitest = "task" in test;
  const path = isVitest ? test.task.file.filepath : (test.filePath ?? entryFile()); // Node 20 runs one test file per process
  if (path === undefined)
    throw new HostError(
      "USAGE_INVALID",
      'The test file is unknown. Pass the recording as the option "file".',
    );
  const name = isVitest ? (test.task.fullTestName ?? test.task.name) : (test.fullName ?? test.name);
  const words = name.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const hash = createHash("sha256").update(name).digest("hex").slice(0, 8);
  const stem = [words.join("-").slice(0, LONGEST_NAME), hash].filter((part) => part !== "").join("-");
  return join(dirname(path), "recordings", basename(path), `${stem}.jsonl`);
}

function withAdvice(error: unknown): unknown {
  if (!(error instanceof HostError) || error.code !== "RECORDING_INVALID") return error;
  const hint = "Run the test with PLUGBOARD_RECORD=1 to record it.";
  return new HostError(error.code, `${error.message} ${hint}`, { hint, cause: error });
}
