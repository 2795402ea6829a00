import { createHash, randomBytes } from "node:crypto";
import { canonicalJson, type Era, isJsonObject, type JsonObject, type Redactor } from "../../model/index.ts";
import type { Workspace } from "../../operations/index.ts";
import { type Clock, elapsed } from "../../platform/index.ts";
import type { PolicyDecision } from "../../policy/index.ts";
import type { AuditEntry, AuditFiles, AuditOutcome } from "../../state/index.ts";
import type { ClientRequest } from "../client-request.ts";
import { INTERNAL_ERROR, type RpcError } from "../rpc-error.ts";
import { clientHash } from "./client-registry.ts";

const LONGEST_TEXT = 256;
/** Not recorded, because they are frequent and contain little information. */
const UNRECORDED: ReadonlySet<string> = new Set(["ping"]);
const REFUSALS: ReadonlySet<string> = new Set(["interaction_required", "busy", "loop", "not_recorded"]);

/** How a request ended. */
export type AuditEnd =
  | { readonly result: JsonObject }
  | { readonly error: RpcError }
  | { readonly isCancelled: true };

interface Relayed {
  server?: string;
  item?: string;
  era?: Era;
  decision?: PolicyDecision | undefined;
}

/** Records the requests of clients. */
export class AuditTrail {
  readonly #files: Pick<AuditFiles, "add" | "mustRefuse">;
  readonly #clock: Clock;
  readonly #redactor: Redactor;
  readonly #onEntry: (entry: AuditEntry) => void;
  /** Keyed by the request's signal, because a request may be relayed as another one. */
  readonly #relayed = new WeakMap<AbortSignal, Relayed>();

  constructor(
    files: Pick<AuditFiles, "add" | "mustRefuse">,
    { ports, redactor }: Pick<Workspace, "ports" | "redactor">,
    onEntry: (entry: AuditEntry) => void,
  ) {
    this.#files = files;
    this.#clock = ports.clock;
    this.#redactor = redactor;
    this.#onEntry = onEntry;
  }

  /** Returns whether requests must be refused, because they cannot be recorded and must be. */
  mustRefuse(): boolean {
    return this.#files.mustRefuse?.() ?? false;
  }

  /** Records the server that a request goes to, and the era of its connection. */
  note({ signal }: Pick<ClientRequest, "signal">, relayed: Relayed): void {
    this.#relayed.set(signal, { ...this.#relayed.get(signal), ...relayed });
  }

  /** Starts recording a request. Returns a function that completes the record. */
  start(request: ClientRequest): (end: AuditEnd, bytesOut: number) => void {
    if (UNRECORDED.has(request.method)) return () => {};
    const at = this.#clock.now();
    const began = elapsed(this.#clock);
    return (end, bytesOut) => {
      const { server, item, era, decision } = this.#relayed.get(request.signal) ?? {};
      const { client, method, params, info = {}, rights } = request;
      const entry: AuditEntry = {
        id: timeOrderedId(at),
        at,
        ...(rights && { person: rights.principal.id, token: rights.principal.token.id }),
        client: {
          ...(info.name !== undefined && { name: this.#mask(info.name) }),
          ...(info.version !== undefined && { version: this.#mask(info.version) }),
          ...(rights?.address !== undefined && { address: rights.address }),
        },
        session: clientHash(client),
        endpoint: client.endpoint.path,
        method: this.#mask(method),
        ...(server !== undefined && { server }),
        ...(item !== undefined && { item: this.#mask(item) }),
        clientEra: request.era,
        ...(era !== undefined && { serverEra: era }),
        ...(decision && { decision: { answer: decision.answer, rule: this.#mask(decision.rule) } }),
        outcome: outcomeOf(end),
        ...("error" in end && { code: end.error.code }),
        durationMs: Math.round((elapsed(this.#clock) - began) * 1_000) / 1_000,
        bytesOut,
        ...(isJsonObject(params["arguments"]) && { argumentsHash: hashOf(params["arguments"]) }),
      };
      this.#files.add(entry);
      this.#onEntry(entry);
    };
  }

  /** Masks before truncating, because half a secret would not be recognized. */
  #mask(text: string): string {
    return this.#redactor.redact(text).slice(0, LONGEST_TEXT);
  }
}

function hashOf(value: JsonObject): string {
  return createHash("sha256").update(canonicalJson(value)).digest("hex");
}

function outcomeOf(end: AuditEnd): AuditOutcome {
  if ("isCancelled" in end) return "cancelled";
  if ("result" in end) return end.result["isError"] === true ? "tool_error" : "ok";
  const { code, data } = end.error;
  const reason = isJsonObject(data) ? data["reason"] : undefined;
  if (reason === "timeout") return "timed_out";
  if (code !== INTERNAL_ERROR) return "refused";
  return typeof reason === "string" && REFUSALS.has(reason) ? "refused" : "failed";
}

let lastTime = 0;
let counter = 0;

/** Returns a version 7 UUID. The ids of one process always increase, even within a millisecond. */
function timeOrderedId(at: number): string {
  counter = at === lastTime ? (counter + 1) % 0x1000 : 0;
  lastTime = at;
  const time = at.toString(16).padStart(12, "0");
  const random = randomBytes(8);
  random[0] = ((random[0] ?? 0) & 0x3f) | 0x80;
  const rest = random.toString("hex");
  const count = counter.toString(16).padStart(3, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${count}-${rest.slice(0, 4)}-${rest.slice(4)}`;
}
