import { createHmac, timingSafeEqual } from "node:crypto";
import { isJsonObject, isList, type JsonObject, type JsonValue } from "../model/index.ts";

/** The part of a gateway that a client requests. */
export interface WantedOffer {
  readonly servers?: readonly string[] | undefined;
  readonly bundles?: readonly string[] | undefined;
  readonly readOnly?: boolean | undefined;
  readonly names?: "prefixed" | "plain" | undefined;
  readonly mode?: "direct" | "meta" | "auto" | undefined;
  readonly mostTools?: number | undefined;
}

/** A client's request to the daemon. It never contains a command to run. */
export type Purpose =
  /** An MCP conversation with the gateway. */
  | {
      readonly kind: "mcp";
      readonly offer: WantedOffer;
      /** Random, and the same for all conversations of one client, so that it finds its tasks again. */
      readonly client?: string | undefined;
    }
  /** The connection to one server, if it would be started in the same way. */
  | {
      readonly kind: "connection";
      readonly server: string;
      /** Identifies the launch that the client would start, see `launchDigest`. */
      readonly launch: string;
      readonly capabilities: JsonObject;
    }
  /** An HTTP server with the gateway, as long as the client is connected. */
  | {
      readonly kind: "listen";
      readonly offer: WantedOffer;
      readonly host?: string | undefined;
      /** 0 chooses a free port. */
      readonly port: number;
    }
  /** The address of an HTTP server on loopback with the servers of the client's folder. */
  | { readonly kind: "http" }
  | { readonly kind: "status" }
  /** The running servers and their resource usage. */
  | { readonly kind: "ps" }
  /** Finish the current clients' work, because a newer version takes over. */
  | { readonly kind: "drain" }
  | { readonly kind: "stop" };

/** The first message of a client that has proved that it belongs to the same user. */
export interface Hello {
  readonly version: string;
  readonly cwd: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly purpose: Purpose;
}

/** Proves that a process can read the user's key, without sending it. */
export function proofOf(key: string, side: "client" | "daemon", nonces: readonly string[]): string {
  return createHmac("sha256", key)
    .update([side, ...nonces].join("\0"))
    .digest("hex");
}

export function isSameProof(given: JsonValue | undefined, wanted: string): boolean {
  if (typeof given !== "string" || given.length !== wanted.length) return false;
  return timingSafeEqual(Buffer.from(given), Buffer.from(wanted));
}

/** Reads a message; `undefined` if it is not a JSON object. */
export function parseMessage(line: string | undefined): JsonObject | undefined {
  if (line === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Reads a hello; `undefined` if a part is missing or has the wrong type. */
export function parseHello({ version, cwd, variables, purpose }: JsonObject): Hello | undefined {
  if (typeof version !== "string" || typeof cwd !== "string") return undefined;
  if (!isJsonObject(variables) || !isJsonObject(purpose)) return undefined;
  const wanted = parsePurpose(purpose);
  if (wanted === undefined) return undefined;
  const texts = Object.entries(variables).flatMap(([name, value]) =>
    typeof value === "string" ? [[name, value] as const] : [],
  );
  return { version, cwd, variables: Object.fromEntries(texts), purpose: wanted };
}

function parsePurpose(purpose: JsonObject): Purpose | undefined {
  const { kind, offer, client, server, launch, capabilities, host, port } = purpose;
  switch (kind) {
    case "listen":
      return isJsonObject(offer) && isPort(port)
        ? { kind, offer: parseOffer(offer), port, ...(typeof host === "string" && { host }) }
        : undefined;
    case "mcp":
      return isJsonObject(offer)
        ? { kind, offer: parseOffer(offer), ...(isClientId(client) && { client }) }
        : undefined;
    case "connection":
      return typeof server === "string" && typeof launch === "string" && isJsonObject(capabilities)
        ? { kind, server, launch, capabilities }
        : undefined;
    case "http":
    case "ps":
    case "status":
    case "drain":
    case "stop":
      return { kind };
    default:
      return undefined;
  }
}

function parseOffer({ servers, bundles, readOnly, names, mode, mostTools }: JsonObject): WantedOffer {
  return {
    servers: texts(servers),
    bundles: texts(bundles),
    readOnly: readOnly === true,
    names: names === "plain" ? names : undefined,
    mode: mode === "meta" || mode === "auto" ? mode : undefined,
    mostTools: typeof mostTools === "number" ? mostTools : undefined,
  };
}

function isClientId(value: JsonValue | undefined): value is string {
  return typeof value === "string" && /^[\w-]{16,64}$/.test(value);
}

function isPort(value: JsonValue | undefined): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 65_535;
}

function texts(value: JsonValue | undefined): readonly string[] | undefined {
  return isList(value) ? value.filter((item) => typeof item === "string") : undefined;
}
