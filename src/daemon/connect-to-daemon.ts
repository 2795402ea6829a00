import { randomBytes } from "node:crypto";
import { codeOf, ERROR_CODES, HostError, isJsonObject, type JsonObject } from "../model/index.ts";
import type { Clock, Files, LocalSocket, LocalSockets } from "../platform/index.ts";
import type { DaemonPaths } from "./daemon-address.ts";
import { type Hello, isSameProof, parseMessage, proofOf } from "./daemon-messages.ts";

/** How long a daemon may take to prove that it is the user's. */
const PROOF_MS = 2_000;
/** How long it may take before it counts as not responding. */
const PROBE_MS = 10_000;

export interface DaemonClientDeps {
  readonly files: Pick<Files, "read">;
  readonly sockets: LocalSockets;
  readonly clock: Clock;
  readonly paths: DaemonPaths;
  /** How long the daemon may take to prove that it is the user's, in milliseconds. Default: 2 seconds. */
  readonly proofMs?: number;
}

/** An accepted connection to the daemon. The purpose decides which messages follow. */
export interface DaemonLink {
  readonly socket: LocalSocket;
  /** The daemon's answer to the hello. */
  readonly answer: JsonObject;
}

/** Connects to the user's daemon. Resolves with `undefined` if none runs. Throws a `HostError` if it refuses. */
export async function connectToDaemon(deps: DaemonClientDeps, hello: Hello): Promise<DaemonLink | undefined> {
  const link = await greet(deps, hello);
  if (link === "silent")
    throw new HostError("DAEMON_UNAVAILABLE", "The daemon does not respond.", {
      hint: "To replace it: plugboard daemon restart",
    });
  return link === "absent" ? undefined : link;
}

/** Returns whether a daemon answers, and its process id. A process that listens but does not answer in time is `silent`. */
export async function probeDaemon(
  deps: DaemonClientDeps,
  version: string,
): Promise<{ readonly state: "running" | "absent" | "silent"; readonly answer?: JsonObject }> {
  const hello: Hello = { version, cwd: "", variables: {}, purpose: { kind: "status" } };
  const link = await greet({ proofMs: PROBE_MS, ...deps }, hello);
  if (typeof link === "string") return { state: link };
  link.socket.close();
  return { state: "running", answer: link.answer };
}

async function greet(
  { files, sockets, clock, paths, proofMs = PROOF_MS }: DaemonClientDeps,
  hello: Hello,
): Promise<DaemonLink | "absent" | "silent"> {
  const key = await readKey(files, paths);
  if (key === undefined) return "absent";
  const socket = await sockets.connect(paths.socket).catch(ignoreAbsence);
  if (socket === undefined) return "absent";
  const ours = randomBytes(16).toString("hex");
  let isLate = false;
  const stopTimer = clock.after(
    proofMs,
    () => {
      isLate = true;
      socket.close();
    },
    { background: true },
  );
  socket.send(JSON.stringify({ nonce: ours }));
  const { nonce: theirs, proof } = parseMessage(await socket.nextLine()) ?? {};
  stopTimer();
  if (typeof theirs !== "string" || !isSameProof(proof, proofOf(key, "daemon", [ours, theirs]))) {
    socket.close();
    return isLate ? "silent" : "absent"; // the daemon is ending, or the socket belongs to another user
  }
  socket.send(JSON.stringify({ proof: proofOf(key, "client", [ours, theirs]), hello }));
  const answer = parseMessage(await socket.nextLine());
  if (answer === undefined) return "absent";
  const { error } = answer;
  if (!isJsonObject(error)) return { socket, answer };
  socket.close();
  throw refusalOf(error);
}

function refusalOf({ code, message, hint }: JsonObject): HostError {
  return new HostError(
    ERROR_CODES.find((known) => known === code) ?? "DAEMON_REFUSED",
    typeof message === "string" ? message : "The daemon refused the request.",
    typeof hint === "string" ? { hint } : {},
  );
}

/** Returns the key that proves the user's identity; `undefined` if no daemon has run yet. */
export async function readKey(
  files: Pick<Files, "read">,
  { key }: Pick<DaemonPaths, "key">,
): Promise<string | undefined> {
  const bytes = await files.read(key, 4_096);
  const text = bytes && new TextDecoder().decode(bytes).trim();
  return text === "" ? undefined : text;
}

const ABSENT: ReadonlySet<string | undefined> = new Set([
  "ENOENT",
  "ECONNREFUSED",
  "ENOTSOCK",
  "EPIPE",
  "ECONNRESET",
]);

function ignoreAbsence(error: unknown): undefined {
  if (!ABSENT.has(codeOf(error))) throw error;
}
