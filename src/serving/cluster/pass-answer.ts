import type { ClientMessage } from "../client/client-messages.ts";
import type { HttpMessage } from "../client/http-message.ts";
import type { ServingCluster } from "./serving-cluster.ts";

const ASKED = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.\d+$/;

/** Passes a client's response on to the gateway that sent the request. Returns whether that gateway has answered the client. */
export async function passAnswer(
  cluster: ServingCluster | undefined,
  { request, response, headers, rights }: HttpMessage,
  { id, message }: Extract<ClientMessage, { readonly kind: "answer" }>,
): Promise<boolean> {
  const [, node] = ASKED.exec(String(id)) ?? [];
  if (cluster === undefined || node === undefined || node === cluster.node) return false;
  const body = JSON.stringify({ jsonrpc: "2.0", id, ...message });
  const { address = "unknown" } = rights ?? {};
  return cluster.forward(node, { request, body, response, headers, address, isDetached: true });
}
