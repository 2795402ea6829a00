import { createHash, randomFillSync } from "node:crypto";
import { canonicalJson, isJsonObject, type JsonObject, type Redactor } from "../../model/index.ts";
import type { Workspace } from "../../operations/index.ts";
import { type Clock, elapsed } from "../../platform/index.ts";
import type { PolicyDecision } from "../../policy/index.ts";
import type { AuditEntry, AuditFiles, AuditOutcome } from "../../state/index.ts";
import type { ClientRequest, RelayedTo } from "../client-request.ts";
import { INTERNAL_ERROR, type RpcError } from "../rpc-error.ts";
import { clientHash } from "./client-registry.ts";

const LONGEST_TEXT = 256;
const MOST_MASKED = 1_000;
/** Not recorded, because they are frequent and contain little information. */
const UNRECORDED: ReadonlySet<string> = new Set(["ping"]);
const REFUSALS: ReadonlySet<string> = new Set(["interaction_required", "busy", "loop", "not_recorded"]);

/** How a request ended. */
export type AuditEnd =
  | { readonly result: JsonObject }
  | { readonly error: RpcError }
  | { readonly isCancelled: true };

/** An object that is filled in step by step, because spreading optional members takes time. */
type Draft<T> = { -readonly [Key in keyof T]: T[Key] };

/** Records client requests. */
export class AuditTrail {
  readonly #files: Pick<AuditFiles, "add" | "mustRefuse">;
  readonly #clock: Clock;
  readonly #redactor: Redactor;
  readonly #onEntry: (entry: AuditEntry) => void;
  /** Masked texts, as long as no secret is added. */
  readonly #masked = new Map<string, string>();
  #maskedWith = 0;

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
  note({ relayed }: Pick<ClientRequest, "relayed">, facts: RelayedTo): void {
    Object.assign(relayed, facts);
  }

  /** Starts recording a request. Returns a function that completes the record. */
  start(request: ClientRequest): (end: AuditEnd, bytesOut: number) => void {
    if (UNRECORDED.has(request.method)) return () => {};
    const at = this.#clock.now();
    const began = elapsed(this.#clock);
    return (end, bytesOut) => {
      const { client, method, params, info = {}, rights } = request;
      const { server, item, era, decision } = request.relayed;
      const who: Draft<AuditEntry["client"]> = {};
      if (info.name !== undefined) who.name = this.#mask(info.name);
      if (info.version !== undefined) who.version = this.#mask(info.version);
      if (rights?.address !== undefined) who.address = rights.address;
      const entry: Draft<AuditEntry> = {
        id: auditEntryId(at),
        at,
        client: who,
        session: clientHash(client),
        endpoint: client.endpoint.path,
        method: this.#mask(method),
        clientEra: request.era,
        outcome: outcomeOf(end),
        durationMs: Math.round((elapsed(this.#clock) - began) * 1_000) / 1_000,
        bytesOut,
      };
      if (rights !== undefined) {
        entry.person = rights.principal.id;
        entry.token = rights.principal.token.id;
      }
      if (server !== undefined) entry.server = server;
      if (item !== undefined) entry.item = this.#mask(item);
      if (era !== undefined) entry.serverEra = era;
      if (decision) entry.decision = toRecorded(decision, this.#mask(decision.rule));
      if ("error" in end) entry.code = end.error.code;
      if (isJsonObject(params["arguments"])) entry.argumentsHash = hashOf(params["arguments"]);
      this.#files.add(entry);
      this.#onEntry(entry);
    };
  }

  /** Masks before truncating, because half a secret would not be recognized. Most texts occur in many entries. */
  #mask(text: string): string {
    const { revision } = this.#redactor;
    if (this.#maskedWith !== revision || this.#masked.size >= MOST_MASKED) this.#masked.clear();
    this.#maskedWith = revision;
    const known = this.#masked.get(text);
    if (known !== undefined) return known;
    const masked = this.#redactor.redact(text).slice(0, LONGEST_TEXT);
    if (text.length <= LONGEST_TEXT) this.#masked.set(text, masked);
    return masked;
  }
}

function toRecorded({ answer, by }: PolicyDecision, rule: string): NonNullable<AuditEntry["decision"]> {
  return answer === "ask" && by !== undefined ? { answer, rule, by } : { answer, rule };
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

const RANDOM_BYTES = 8;
const pool = Buffer.alloc(512 * RANDOM_BYTES);
let used = pool.length;

/** Returns random bytes of a pool, because each request to the system takes time. */
function nextRandom(): Buffer {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += RANDOM_BYTES;
  return pool.subarray(used - RANDOM_BYTES, used);
}

/** Returns a version 7 UUID. The ids of one process always increase, even within a millisecond. */
export function auditEntryId(at: number): string {
  counter = at === lastTime ? (counter + 1) % 0x1000 : 0;
  lastTime = at;
  const time = at.toString(16).padStart(12, "0");
  const random = nextRandom();
  random[0] = ((random[0] ?? 0) & 0x3f) | 0x80;
  const rest = random.toString("hex");
  const count = counter.toString(16).padStart(3, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${count}-${rest.slice(0, 4)}-${rest.slice(4)}`;
}
