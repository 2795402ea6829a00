import { isJsonObject, isList, type JsonObject, type JsonValue } from "../../model/index.ts";
import { type Clock, settledWithin } from "../../platform/index.ts";
import type { ClientRequest } from "../client-request.ts";

export const ROOTS = "roots/list";
export const ROOTS_CHANGED = "notifications/roots/list_changed";
/** The key of the gateway's own request for roots. Servers' requests have other keys, and are never sent together with it. */
export const ROOTS_KEY = "plugboard-roots";
const ANSWER_MS = 5_000;
const LONGEST = 64 * 1024;
const NONE: JsonObject = { roots: [] };

/** Returns whether servers may learn the client's roots. */
export function hasRoots({ client, capabilities }: Pick<ClientRequest, "client" | "capabilities">): boolean {
  return client.isLocal && isJsonObject(capabilities["roots"]);
}

/** Returns the roots of a legacy client. It is asked once, on the stream of this request. Without an answer, it counts as having none. */
export function legacyRoots(request: ClientRequest, clock: Clock): Promise<JsonObject> {
  const { client } = request;
  client.roots ??= ask(request, clock);
  return client.roots;
}

async function ask(request: ClientRequest, clock: Clock): Promise<JsonObject> {
  let roots: JsonObject | undefined;
  const late = new AbortController();
  const asking = request.ask(ROOTS, {}, late.signal).then(
    (answer) => {
      roots = toRoots(answer);
    },
    () => {}, // it has none
  );
  await settledWithin(clock, ANSWER_MS, asking);
  late.abort();
  return roots ?? NONE;
}

/** Returns a client's answer if it is a list of roots of a reasonable size. */
export function toRoots(answer: JsonValue | undefined): JsonObject | undefined {
  const { roots } = isJsonObject(answer) ? answer : {};
  if (!isList(roots)) return undefined;
  return JSON.stringify(roots).length > LONGEST ? NONE : { roots };
}
