import type { JsonObject, ToolDefinition } from "../../model/index.ts";
import { type Clock, forEachYielding, nextTurn } from "../../platform/index.ts";
import type { AuditEntry } from "../../state/index.ts";
import { ClientRegistry } from "./client-registry.ts";
import { Metrics } from "./metrics.ts";
import { ServerStates, type StateSource } from "./server-states.ts";
import { tokensOf, tokensOfValue } from "./token-costs.ts";

/** A part of the records. */
export type RecordKind = "clients" | "requests" | "states" | "lists";

/** What a gateway remembers about its clients, requests and servers while it runs. */
export class GatewayRecords {
  readonly startedAt: number;
  readonly #clock: Clock;
  readonly clients: ClientRegistry;
  readonly metrics: Metrics = new Metrics();
  readonly states: ServerStates;
  readonly #listeners = new Set<(kind: RecordKind) => void>();
  /** What lists cost. Most clients get the same list, which never changes. */
  readonly #costs = new WeakMap<object, number>();

  constructor(source: StateSource) {
    const { clock } = source.workspace.ports;
    this.#clock = clock;
    this.startedAt = clock.now();
    this.clients = new ClientRegistry(clock, () => this.changed("clients"));
    this.states = new ServerStates(source);
    this.states.record();
  }

  /** Records a request that has ended. */
  ended(entry: AuditEntry): void {
    if ((entry.kind ?? "request") === "request") this.metrics.add(entry);
    this.changed("requests");
  }

  /** Records what a list of tools costs the client's model. `meta` are the tools that replace the list, if they do. */
  listed(
    tools: readonly { readonly definition: ToolDefinition }[],
    meta: readonly { readonly value: JsonObject }[] | undefined,
  ): void {
    const at = this.#clock.now();
    // Estimating new definitions takes longer than the list itself, so it must not delay the response.
    void nextTurn().then(async () => {
      const direct = this.#costs.get(tools) ?? (await costOf(tools));
      this.#costs.set(tools, direct);
      const spent = meta?.reduce((sum, { value }) => sum + tokensOfValue(value), 0) ?? direct;
      this.metrics.addTokens(at, spent, Math.max(0, direct - spent));
    });
  }

  /** Records that the state of a server may have changed. */
  stateChanged(server: string): void {
    this.states.record(server);
    this.changed("states");
  }

  /** Calls a function after every change. Returns a function that stops that. */
  subscribe(listener: (kind: RecordKind) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  changed(kind: RecordKind): void {
    for (const listener of this.#listeners) listener(kind);
  }
}

async function costOf(tools: readonly { readonly definition: ToolDefinition }[]): Promise<number> {
  let tokens = 0;
  await forEachYielding(tools, ({ definition }) => {
    tokens += tokensOf(definition);
    return true;
  });
  return tokens;
}
