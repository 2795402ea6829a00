import { createHash } from "node:crypto";
import { HostError, isJsonObject, itemsOf, type JsonObject } from "../model/index.ts";
import type { Workspace } from "../operations/index.ts";
import { MOST_HOPS } from "./relay/upstream-params.ts";

/** The experimental capability by which a gateway recognizes itself, or another one of the same user. */
const GATEWAY = "dev.plugboard/gateway";
/** The member of an item's `_meta` with the ids of the gateways that passed the item on. */
const VIA = "dev.plugboard/via";

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
  if (announcedId(capabilities) !== gatewayId(workspace)) return;
  throw new HostError("CONNECT_FAILED", `Failed to connect to "${server}": it is this gateway itself.`, {
    server,
    hint: "Remove or disable the entry. Gateways never offer themselves.",
  });
}

/**
 * Marks an item in another gateway's list with that gateway. Returns `undefined` for this gateway's own items, and for those that passed
 * so many gateways that a call would not arrive. Otherwise, the lists of gateways that name each other would grow without end.
 */
export function viaGateway(
  workspace: Identified,
  item: JsonObject,
  capabilities: JsonObject,
): JsonObject | undefined {
  const id = announcedId(capabilities);
  if (id === undefined) return item;
  const { _meta: given } = item;
  const meta = isJsonObject(given) ? given : {};
  const via = itemsOf(meta[VIA]);
  if (via.length >= MOST_HOPS - 1 || via.includes(gatewayId(workspace))) return undefined;
  return { ...item, _meta: { ...meta, [VIA]: [...via, id] } };
}

/** Returns the id of a server that is a gateway. */
function announcedId({ experimental }: JsonObject): string | undefined {
  const announced = isJsonObject(experimental) ? experimental[GATEWAY] : undefined;
  const id = isJsonObject(announced) ? announced["id"] : undefined;
  return typeof id === "string" ? id : undefined;
}
