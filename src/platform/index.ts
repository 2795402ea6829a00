/** Interfaces to the outside world. `node/` implements them; tests use their own implementations. */

export { delay, settledWithin } from "./delay.ts";
export { elapsed } from "./elapsed.ts";
export { encodeInPieces } from "./encode-in-pieces.ts";
export { absoluteFolders, folderSeparator, isFolderList, mayBeFolderList } from "./folder-lists.ts";
export type { ForwardProxy, ProxyRules, RunningProxy } from "./forward-proxy-port.ts";
export { findHome, isAbsolutePath } from "./home-folder.ts";
export { jsonWeight, SCHEMA_LIMITS, type WeightLimits } from "./json-weight.ts";
export { createListBudget } from "./list-budget.ts";
export type { LocalListener, LocalSocket, LocalSockets } from "./local-sockets.ts";
export type { LevelLogger, Log, LogLevel } from "./log.ts";
export { missingHomePath, withoutHome } from "./missing-home.ts";
export { onAbort } from "./on-abort.ts";
export {
  createOwnershipCheck,
  guardOwnFolders,
  OWNERSHIP_FIX,
  type OwnershipCheck,
} from "./ownership-check.ts";
export { parseJsonInSlices, parseOwnJson, TooManyValuesError } from "./parse-json-in-slices.ts";
export {
  PeerFailure,
  type PeerKey,
  type PeerRequest,
  type PeerResponse,
  type Peers,
} from "./peers.ts";
export type {
  Cancellation,
  Clock,
  Environment,
  FileOwner,
  Files,
  Folders,
  Http,
  HttpFailure,
  HttpListener,
  HttpRequest,
  HttpResponse,
  IncomingRequest,
  Keychain,
  Loopback,
  LoopbackAnswer,
  LoopbackRequest,
  LoopbackServer,
  OutgoingResponse,
  Ports,
  ProcessEnd,
  Processes,
  ResponseStream,
  RunningListener,
  RunningProcess,
  SpawnRequest,
} from "./ports.ts";
export type { ProcessUsage } from "./process-usage.ts";
export type { ProcessUse } from "./process-use.ts";
export { readBody, readBodyText } from "./read-body.ts";
export { redactedLog } from "./redacted-log.ts";
export { isSameOrigin, isWebUrl } from "./same-origin.ts";
export { LineSplitter } from "./split-lines.ts";
export type { TlsFiles } from "./tls-files.ts";
export { toLog } from "./to-log.ts";
export { unlessAborted } from "./unless-aborted.ts";
export { createPace, forEachYielding, mapYielding, nextTurn } from "./yielding.ts";
