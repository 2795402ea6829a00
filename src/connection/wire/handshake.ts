import {
  type InitializeParams,
  isJsonObject,
  itemsOf,
  type JsonObject,
  type JsonValue,
  LEGACY_VERSIONS,
  MODERN_VERSION,
  truncate,
} from "../../model/index.ts";
import type { Channel } from "./channel.ts";
import {
  type Agreement,
  type ClientIdentity,
  capabilitiesIn,
  instructionsIn,
  modernParams,
  serverIdentity,
  serverInfoOf,
} from "./era.ts";
import type { Peer } from "./peer.ts";
import { failureOf, WireError } from "./wire-error.ts";

export interface HandshakeOptions {
  readonly identity: ClientIdentity;
  readonly timeoutMs: number;
  /** How long to wait for a stdio server's response to the era probe before it counts as legacy. */
  readonly probeMs: number;
  /** `auto` probes the era, `legacy` does not, and a date requires that revision. */
  readonly protocol: string;
}

/** Determines the server's era and performs the handshake. Rejects with a `WireError`. */
export async function performHandshake(
  peer: Peer,
  channel: Channel,
  options: HandshakeOptions,
): Promise<Agreement> {
  const { protocol } = options;
  const agreement =
    (protocol === "auto" || protocol === MODERN_VERSION
      ? await discover(peer, channel, options)
      : undefined) ?? (await initialize(peer, options));
  peer.cancelByClosing = agreement.modern && channel.perRequest;
  peer.version = agreement.version;
  const pushes = !agreement.modern;
  channel.negotiated?.({ version: agreement.version, modern: agreement.modern, pushes });
  return agreement;
}

/** Sends `server/discover`. Returns `undefined` if the response shows that the server is legacy. */
async function discover(
  peer: Peer,
  { perRequest }: Channel,
  options: HandshakeOptions,
): Promise<Agreement | undefined> {
  const { identity, timeoutMs, probeMs, protocol } = options;
  const requiresModern = protocol === MODERN_VERSION;
  const ask = (): Promise<JsonObject> =>
    peer.request("server/discover", modernParams({}, identity), {
      timeoutMs: perRequest || requiresModern ? timeoutMs : Math.min(probeMs, timeoutMs),
    });
  try {
    const result = await ask().catch((error: unknown) => {
      // Some servers reject this revision although they list it as supported, and accept a second request.
      if (versionsNamedBy(error).includes(MODERN_VERSION)) return ask();
      throw error;
    });
    const supported = versionsIn(result["supportedVersions"]);
    if (supported.includes(MODERN_VERSION)) return modernAgreement(result);
    assertSupported(supported);
  } catch (error) {
    assertSupported(versionsNamedBy(error));
    if (!isLegacyAnswer(error, perRequest)) throw error;
  }
  if (requiresModern) throw versionMismatch("an older protocol version", protocol);
  return undefined;
}

/** Throws if the server names its versions and none of them is supported. */
function assertSupported(versions: readonly string[]): void {
  const [first] = versions;
  const isKnown = (version: string): boolean =>
    version === MODERN_VERSION || LEGACY_VERSIONS.includes(version);
  if (first !== undefined && !versions.some(isKnown)) throw unknownVersion(first);
}

/** How many of a server's versions are read, and how many characters of an unknown one are shown. */
const MOST_VERSIONS = 100;
const LONGEST_VERSION = 100;

const UNSUPPORTED_VERSION = -32022;

function versionsNamedBy(error: unknown): readonly string[] {
  const failure = failureOf(error);
  if (failure?.kind !== "refused" || failure.code !== UNSUPPORTED_VERSION) return [];
  return versionsIn(isJsonObject(failure.data) ? failure.data["supported"] : undefined);
}

function versionsIn(value: JsonValue | undefined): readonly string[] {
  const list = itemsOf(value);
  return list.slice(0, MOST_VERSIONS).filter((item): item is string => typeof item === "string");
}

/** Legacy servers reject the probe with any error that is not about authentication. On stdio they may also not respond. */
function isLegacyAnswer(error: unknown, perRequest: boolean): boolean {
  const failure = failureOf(error);
  switch (failure?.kind) {
    case "refused":
      return true;
    case "timeout":
      return !perRequest;
    case "status":
      return (
        failure.status < 500 && failure.status !== 401 && failure.status !== 403 && failure.status !== 429
      );
    case "notMcp":
    case "streamLost":
      return perRequest;
    default:
      return false;
  }
}

function modernAgreement(result: JsonObject): Agreement {
  return {
    version: MODERN_VERSION,
    modern: true,
    server: serverInfoOf(result),
    capabilities: capabilitiesIn(result),
    instructions: instructionsIn(result),
  };
}

async function initialize(
  peer: Peer,
  { identity, timeoutMs, protocol }: HandshakeOptions,
): Promise<Agreement> {
  const { name, version, capabilities } = identity;
  const wanted = LEGACY_VERSIONS.includes(protocol) ? protocol : (LEGACY_VERSIONS[0] ?? "");
  const params: InitializeParams = {
    protocolVersion: wanted,
    capabilities: capabilities.legacy,
    clientInfo: { name, version },
  };
  const result = await peer.request("initialize", params, { timeoutMs });
  const agreed = result["protocolVersion"];
  if (typeof agreed !== "string")
    throw new WireError({ kind: "notMcp" }, "its response to initialize has no protocol version");
  if (!LEGACY_VERSIONS.includes(agreed)) throw unknownVersion(agreed);
  if (LEGACY_VERSIONS.includes(protocol) && agreed !== protocol)
    throw versionMismatch(`protocol version ${agreed}`, protocol, agreed);
  await peer.notify("notifications/initialized", {});
  return {
    version: agreed,
    modern: false,
    server: serverIdentity(result["serverInfo"]),
    capabilities: capabilitiesIn(result),
    instructions: instructionsIn(result),
  };
}

function unknownVersion(named: string): WireError {
  const version = truncate(named, LONGEST_VERSION);
  const known = [MODERN_VERSION, ...LEGACY_VERSIONS.slice(0, -1)].join(", ");
  return new WireError(
    { kind: "version", version },
    `it uses protocol version ${version}, which is not one of ${known}`,
  );
}

function versionMismatch(found: string, required: string, version: string = found): WireError {
  return new WireError({ kind: "version", version }, `it uses ${found}, but its entry requires ${required}`);
}
