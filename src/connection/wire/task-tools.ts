import { isJsonObject, type JsonObject, type JsonValue } from "../../model/index.ts";
import { type Clock, createListBudget, elapsed } from "../../platform/index.ts";
import type { Agreement } from "./era.ts";
import type { Peer, PeerRequest } from "./peer.ts";

const MOST_PAGES = 100;
/** Names that are remembered. No list is read further than this. */
const MOST_NAMES = 50_000;
const LONGEST_NAME = 1_024;

/** Tools of a legacy server that only run as tasks, learned from the lists that pass by. */
export class TaskTools {
  readonly #names = new Set<JsonValue>();
  #hasLearned = false;

  /** Nothing for a server without tasks, which is nearly every one. */
  static of({ modern, capabilities }: Agreement): TaskTools | undefined {
    const { requests } = isJsonObject(capabilities["tasks"]) ? capabilities["tasks"] : {};
    const { tools } = isJsonObject(requests) ? requests : {};
    return !modern && isJsonObject(tools) && tools["call"] !== undefined ? new TaskTools() : undefined;
  }

  learn({ tools }: JsonObject): void {
    this.#hasLearned = true;
    for (const tool of Array.isArray(tools) ? (tools as readonly JsonValue[]) : []) {
      const { name, execution } = isJsonObject(tool) ? tool : {};
      const isTask = isJsonObject(execution) && execution["taskSupport"] === "required";
      if (typeof name !== "string" || name.length > LONGEST_NAME) continue;
      if (isTask && this.#names.size < MOST_NAMES) this.#names.add(name);
      else this.#names.delete(name);
    }
  }

  /** The list may have come from the cache, and then nothing was learned yet. */
  async includes(
    name: JsonValue | undefined,
    send: Peer["request"],
    { timeoutMs, signal }: PeerRequest,
    clock: Clock,
  ): Promise<boolean> {
    let params: JsonObject = {};
    const nextLimit = createListBudget(() => elapsed(clock), timeoutMs);
    for (let page = 0; !this.#hasLearned || (page > 0 && page < MOST_PAGES); page += 1) {
      const pageMs = nextLimit();
      if (pageMs === undefined) break;
      const result = await send("tools/list", params, { timeoutMs: pageMs, signal });
      this.learn(result);
      const { nextCursor } = result;
      if (typeof nextCursor !== "string" || nextCursor === "") break;
      params = { cursor: nextCursor };
    }
    return name !== undefined && this.#names.has(name);
  }
}
