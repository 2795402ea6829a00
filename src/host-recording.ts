import { resolve } from "node:path";
import { createRecorder, type Recorder, type Replay, readReplay } from "./connection/index.ts";
import type { HostOptions } from "./host-api.ts";
import { HostError, type Problem, type Redactor } from "./model/index.ts";
import type { Environment, Ports } from "./platform/index.ts";

interface RecordingDeps {
  readonly ports: Ports;
  readonly environment: Environment;
  readonly redactor: Redactor;
  onProblem(problem: Problem): void;
}

/** Opens the recording that the program writes or replays. */
export async function openRecording(
  { record, replay }: HostOptions,
  { ports: { files }, environment: { cwd }, redactor, onProblem }: RecordingDeps,
): Promise<{ readonly recorder?: Recorder; readonly replay?: Replay }> {
  if (record !== undefined && replay !== undefined)
    throw new HostError("USAGE_INVALID", 'The options "record" and "replay" cannot be used together.');
  if (replay !== undefined)
    return { replay: await readReplay({ files, path: resolve(cwd, replay), redactor }) };
  if (record === undefined) return {};
  const path = resolve(cwd, record);
  const onIncomplete = (reason: string): void =>
    onProblem({
      code: "recording-incomplete",
      severity: "error",
      message: `The recording ${path} is incomplete: ${reason}.`,
      file: path,
    });
  return { recorder: await createRecorder({ files, path, redactor, onIncomplete }) };
}
