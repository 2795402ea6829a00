import {
  canonicalJson,
  HostError,
  type JsonObject,
  messageOf,
  type Redactor,
  type ServerFacts,
  shortLine,
  ToolAbortError,
} from "../../model/index.ts";
import { createPace, type Files, parseJsonInSlices } from "../../platform/index.ts";
import type { Connection, ConnectionEnd, RequestOptions } from "../connection.ts";
import {
  type Answer,
  checkLine,
  ENDLESS_METHOD,
  HEADER,
  maskTexts,
  RECORDING_LIMITS,
  requestKey,
} from "./recording.ts";

/** Longer lines are parsed in slices, so that they do not block the process. */
const LONG_LINE = 64 * 1024;
const LONGEST_PARAMS = 300;

export interface ReplayOptions {
  readonly files: Files;
  /** An absolute path. */
  readonly path: string;
  readonly redactor: Redactor;
}

/** Answers requests from a recording. */
export interface Replay {
  /** Returns a connection that answers from the recording. Throws if the server was not recorded. */
  connect(server: string): Connection;
}

/** Reads a recording. Rejects with `RECORDING_INVALID` if it does not exist or any line of it is invalid. */
export async function readReplay({ files, path, redactor }: ReplayOptions): Promise<Replay> {
  const recorded = await parse(await readText(files, path), path);
  /** How many answers were already given, by request. */
  const given = new Map<string, number>();
  const answerTo = (server: string, method: string, params: JsonObject): JsonObject => {
    const masked = maskTexts(params, (text) => redactor.redact(text));
    const key = requestKey(server, method, masked);
    const answers = recorded.answers.get(key);
    const next = given.get(key) ?? 0;
    const answer = answers?.[Math.min(next, answers.length - 1)];
    if (answer === undefined) throw notRecorded(recorded, { server, method, params: masked, path });
    given.set(key, next + 1);
    if ("result" in answer) return answer.result;
    const { code, message, hint, rpcCode } = answer.error;
    throw new HostError(code, message, { server, hint, rpcCode });
  };
  return {
    connect(server) {
      const facts = recorded.servers.get(server);
      if (facts !== undefined) return replayedConnection(server, facts, answerTo);
      throw new HostError("NOT_RECORDED", `${path} contains no connection to "${server}".`, {
        server,
        hint: "Record it again with this server.",
      });
    },
  };
}

function replayedConnection(
  server: string,
  facts: ServerFacts,
  answerTo: (server: string, method: string, params: JsonObject) => JsonObject,
): Connection {
  let end: (how: ConnectionEnd) => void = () => {};
  const ended = new Promise<ConnectionEnd>((resolve) => {
    end = resolve;
  });
  return {
    server,
    facts,
    ended,
    async request(method, params, { signal }) {
      if (signal?.aborted === true) throw new ToolAbortError();
      return method === ENDLESS_METHOD ? untilEnded(server, ended, signal) : answerTo(server, method, params);
    },
    onNotification: () => () => {},
    async close() {
      end({ expected: true, message: `the replay of "${server}" was closed` });
    },
  };
}

/** A stream of notifications, which are not recorded. */
function untilEnded(
  server: string,
  ended: Promise<ConnectionEnd>,
  signal: RequestOptions["signal"],
): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener("abort", () => reject(new ToolAbortError()), { once: true });
    void ended.then(({ message }) => reject(new HostError("CONNECTION_LOST", message, { server })));
  });
}

interface Recorded {
  readonly servers: ReadonlyMap<string, ServerFacts>;
  /** The answers to each request, in the order they were recorded. */
  readonly answers: ReadonlyMap<string, readonly Answer[]>;
  /** The number of recorded requests by server, method and name. */
  readonly counts: ReadonlyMap<string, number>;
}

async function readText(files: Files, path: string): Promise<string> {
  let bytes: Uint8Array | undefined;
  try {
    bytes = await files.read(path, RECORDING_LIMITS.bytes);
  } catch (error) {
    throw invalid(`The recording ${path} cannot be read: ${messageOf(error)}`);
  }
  if (bytes === undefined) throw invalid(`There is no recording at ${path}.`);
  return new TextDecoder().decode(bytes);
}

async function parse(text: string, path: string): Promise<Recorded> {
  if (text !== HEADER && !text.startsWith(`${HEADER}\n`))
    throw invalid(`${path} is not a recording, or was recorded by another version.`);
  const servers = new Map<string, ServerFacts>();
  const answers = new Map<string, Answer[]>();
  const counts = new Map<string, number>();
  const pace = createPace();
  let number = 1;
  for (const line of linesAfter(text, HEADER.length + 1)) {
    number += 1;
    const pause = pace();
    if (pause !== undefined) await pause;
    const checked = checkLine(await parseLine(line));
    if (checked === undefined) throw invalid(`${path}:${number} is not a recorded exchange.`);
    const { server } = checked;
    if ("connected" in checked) {
      servers.set(server, checked.connected);
      continue;
    }
    const { method, params, ...answer } = checked;
    const key = requestKey(server, method, params);
    const known = answers.get(key);
    if (known === undefined) answers.set(key, [answer]);
    else known.push(answer);
    const kind = kindOf(server, method, params);
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return { servers, answers, counts };
}

/** Yields the lines from a position on. They are not all split in advance: a recording can consist of millions of line breaks. */
function* linesAfter(text: string, position: number): Generator<string> {
  for (let start = position; start < text.length; ) {
    const found = text.indexOf("\n", start);
    const end = found === -1 ? text.length : found;
    yield text.slice(start, end);
    start = end + 1;
  }
}

async function parseLine(line: string): Promise<unknown> {
  try {
    return line.length > LONG_LINE ? await parseJsonInSlices(line) : (JSON.parse(line) as unknown);
  } catch {
    return undefined;
  }
}

const kindOf = (server: string, method: string, { name }: JsonObject): string =>
  canonicalJson([server, method, name ?? null]);

function notRecorded(
  { counts }: Recorded,
  request: {
    readonly server: string;
    readonly method: string;
    readonly params: JsonObject;
    readonly path: string;
  },
): HostError {
  const { server, method, params, path } = request;
  const others = counts.get(kindOf(server, method, params)) ?? 0;
  const shown = shortLine(JSON.stringify(params["arguments"] ?? params), LONGEST_PARAMS);
  const what = typeof params["name"] === "string" ? `${method} "${params["name"]}"` : method;
  const message = `${path} contains no response of "${server}" to ${what} with ${shown}.`;
  const hint =
    others === 0
      ? "Record it again with this request."
      : `It contains ${others} ${others === 1 ? "answer" : "answers"} to the same request with other arguments. Record it again, or use the recorded arguments.`;
  return new HostError("NOT_RECORDED", message, { server, hint });
}

function invalid(message: string): HostError {
  return new HostError("RECORDING_INVALID", message, {
    hint: "Record it again with the option record, or delete it.",
  });
}
