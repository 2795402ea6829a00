import type { IncomingRequest, OutgoingResponse, RunningListener } from "./ports.ts";

/** A secret that two programs share. */
export interface PeerKey {
  readonly id: string;
  readonly key: Uint8Array;
}

/** Where a peer listens. */
export interface PeerAddress {
  readonly host: string;
  readonly port: number;
}

/** A request to a peer. */
export interface PeerRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** How long connecting may take, in milliseconds. */
  readonly connectMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** The response of a peer. */
export interface PeerResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The body as UTF-8 text, in pieces. Throws a `PeerFailure` if the connection is lost. */
  readonly body: AsyncIterable<string>;
}

/**
 * Why a request to a peer failed. `refused`: nothing listens there. `unreachable`: there was no connection in time. In both cases, the
 * peer did not receive the request. `lost`: the connection ended, and the peer may have got it.
 */
export class PeerFailure extends Error {
  readonly kind: "refused" | "unreachable" | "lost";

  constructor(kind: PeerFailure["kind"], message: string) {
    super(message);
    this.name = "PeerFailure";
    this.kind = kind;
  }
}

/** Encrypted HTTP between programs that share a key. Each side proves that it has the key before anything is sent. */
export interface Peers {
  /** `keys` returns the keys that are accepted now. */
  listen(
    address: PeerAddress,
    keys: () => readonly PeerKey[],
    handle: (request: IncomingRequest, response: OutgoingResponse) => void,
  ): Promise<RunningListener>;
  /** Sends a request with a key. Rejects with a `PeerFailure`. */
  request(address: PeerAddress, key: PeerKey, request: PeerRequest): Promise<PeerResponse>;
  /** Ends idle connections. */
  close(): void;
}
