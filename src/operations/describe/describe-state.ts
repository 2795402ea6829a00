import type { ConnectionState } from "../../connection/index.ts";
import { type Decision, describeInstallation, type HostError, type ServerState } from "../../model/index.ts";

/** Returns the state to show: the policy's reason if the server may not run, else the state of its connection. */
export function describeState(decision: Decision, connection: ConnectionState | undefined): ServerState {
  if (!decision.allowed) return { state: decision.reason, because: decision.because };
  return describeConnection(connection ?? { kind: "idle" });
}

/** Describes the state of a connection with plain data, so that a program can send it to another process. */
export function describeConnection(connection: ConnectionState): ServerState {
  switch (connection.kind) {
    case "idle":
    case "connecting":
      return { state: connection.kind };
    case "connected":
      return { state: "connected", facts: connection.facts };
    case "installing": {
      const { kind: state, ...installing } = connection;
      return { state, because: describeInstallation(installing), installing };
    }
    case "reconnecting": {
      const { kind: state, attempt, nextTryAt } = connection;
      const nextTry = nextTryAt === undefined ? undefined : new Date(nextTryAt).toISOString();
      return { state, ...failureOf(connection), attempt, ...(nextTry !== undefined && { nextTry }) };
    }
    default:
      return { state: connection.kind, ...failureOf(connection) };
  }
}

function failureOf({ error: { message, code, hint } }: { readonly error: HostError }) {
  return { because: message, errorCode: code, ...(hint !== undefined && { hint }) };
}
