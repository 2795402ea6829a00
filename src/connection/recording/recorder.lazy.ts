import { dirname } from "node:path";
import { HostError, isHostError, type JsonObject, messageOf, type Redactor } from "../../model/index.ts";
import type { Files } from "../../platform/index.ts";
import type { Connection } from "../connection.ts";
import {
  type Answer,
  ENDLESS_METHOD,
  HEADER,
  isTooComplex,
  maskTexts,
  RECORDING_LIMITS,
  type RecordedLine,
  recordedError,
  withoutMeta,
} from "./recording.ts";

/** Only the user may read a recording: results can be private. */
const MODE = 0o600;

export interface RecorderOptions {
  readonly files: Files;
  /** An absolute path. */
  readonly path: string;
  readonly redactor: Redactor;
  /** Called once, with the reason, if the recording is incomplete. */
  onIncomplete(reason: string): void;
}

/** Writes every exchange with servers to a file. */
export interface Recorder {
  /** Returns a connection that works like the given one and records its requests. */
  watch(connection: Connection): Connection;
  /** Resolves when everything is written. */
  done(): Promise<void>;
}

/** Starts a recording. Replaces an earlier recording, but no other file. */
export async function createRecorder(options: RecorderOptions): Promise<Recorder> {
  const { files, path, redactor, onIncomplete } = options;
  await start(files, path);
  const mask = (text: string): string => redactor.redact(text);
  let bytes = HEADER.length + 1;
  let isStopped = false;
  let written: Promise<void> = Promise.resolve();
  const stop = (reason: string): void => {
    if (!isStopped) onIncomplete(reason);
    isStopped = true;
  };
  const write = (line: RecordedLine): void => {
    if (isStopped) return;
    if (isTooComplex(line)) return stop(`a response of "${line.server}" is too complex`);
    const text = `${JSON.stringify(maskTexts(line, mask))}\n`;
    bytes += Buffer.byteLength(text);
    if (bytes > RECORDING_LIMITS.bytes)
      return stop(`it would be larger than ${RECORDING_LIMITS.bytes / 1024 / 1024} MB`);
    written = written
      .then(() => (isStopped ? undefined : files.append(path, text, MODE)))
      .catch((error: unknown) => stop(messageOf(error)));
  };
  const record = (server: string, method: string, params: JsonObject, answer: Answer | undefined): void => {
    if (answer !== undefined) write({ server, method, params: withoutMeta(params), ...answer });
  };
  return {
    watch(connection) {
      const { server, facts, ended } = connection;
      write({ server, connected: facts });
      return {
        server,
        facts,
        ended,
        get probing() {
          return connection.probing;
        },
        get capabilities() {
          return connection.capabilities;
        },
        async request(method, params, how) {
          if (method === ENDLESS_METHOD) return connection.request(method, params, how);
          try {
            const result = await connection.request(method, params, how);
            record(server, method, params, { result });
            return result;
          } catch (error) {
            record(server, method, params, recordedError(error));
            throw error;
          }
        },
        onNotification: (listener) => connection.onNotification(listener),
        close: () => connection.close(),
      };
    },
    done: () => written,
  };
}

async function start(files: Files, path: string): Promise<void> {
  try {
    await files.makeFolder(dirname(path), 0o755);
    const existing = await files.read(path, RECORDING_LIMITS.bytes);
    if (existing === undefined) return await files.create(path, `${HEADER}\n`, MODE);
    const first = new TextDecoder().decode(existing.subarray(0, HEADER.length));
    if (first !== HEADER && existing.length > 0)
      throw new HostError("RECORDING_INVALID", `${path} exists and is not a recording.`, {
        hint: "Choose another file, or delete it.",
      });
    await files.replace(path, `${HEADER}\n`, MODE);
  } catch (error) {
    if (isHostError(error)) throw error;
    throw new HostError("RECORDING_INVALID", `${path} cannot be written: ${messageOf(error)}`, {
      cause: error,
    });
  }
}
