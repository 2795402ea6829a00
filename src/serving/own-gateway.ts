import { createHash } from "node:crypto";
import { HostError, isJsonObject, type JsonObject } from "../model/index.ts";
import type { Workspace } from "../operations/index.ts";

/** The experimental capability by which a gateway recognizes itself, or another one of the same user. */
const GATEWAY = "dev.plugboard/gateway";

type Identified = Pick<Workspace, "places" | "ports">;

function gatewayId({ places, ports }: Identified): string {
  const text = `${ports.processes.place ?? ""}\0${places.state}`;
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}

/** Returns the capability that a gateway announces to its clients. */
export function gatewayCapability(workspace: Identified): JsonObject {
  return { experimental: { [GATEWAY]: { id: gatewayId(workspace) } } };
}

/**
 * Throws if a server is a gateway with the same state folder. It offers the same servers, itself included, so each list would be longer
 * than the one before. Most gateway entries are recognized before they are used (`is-gateway.ts`); a shell command or an address is not.
 */
export function refuseOwnGateway(workspace: Identified, server: string, capabilities: JsonObject): void {
  const { experimental } = capabilities;
  const announced = isJsonObject(experimental) ? experimental[GATEWAY] : undefined;
  if (!isJsonObject(announced) || announced["id"] !== gatewayId(workspace)) return;
  throw new HostError("CONNECT_FAILED", `Failed to connect to "${server}": it is this gateway itself.`, {
    server,
    hint: "Remove or disable the entry. Gateways never offer themselves.",
  });
}
