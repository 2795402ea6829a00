import { isJsonObject, itemsOf, type JsonObject, type JsonValue } from "../../model/index.ts";
import { type Clock, createListBudget, elapsed } from "../../platform/index.ts";
import type { Agreement } from "./era.ts";
import type { Peer, PeerRequest } from "./peer.ts";

const MOST_PAGES = 100;
/** How many names are kept. No list is read beyond this number. */
const MOST_NAMES = 50_000;
const LONGEST_NAME = 1_024;

/** The tools of a legacy server that must be called as tasks. Learned from tool lists. */
export class TaskTools {
  readonly #names = new Set<JsonValue | undefined>();
  #hasLearned = false;

  /** Returns `undefined` for a server without tasks, which is the common case. */
  static of({ modern, capabilities }: Agreement): TaskTools | undefined {
    const { requests } = isJsonObject(capabilities["tasks"]) ? capabilities["tasks"] : {};
    const { tools } = isJsonObject(requests) ? requests : {};
    return !modern && isJsonObject(tools) && tools["call"] !== undefined ? new TaskTools() : undefined;
  }

  learn({ tools }: JsonObject): void {
    this.#hasLearned = true;
    for (const tool of itemsOf(tools)) {
      const { name, execution } = isJsonObject(tool) ? tool : {};
      const isTask = isJsonObject(execution) && execution["taskSupport"] === "required";
      if (typeof name !== "string" || name.length > LONGEST_NAME) continue;
      if (isTask && this.#names.size < MOST_NAMES) this.#names.add(name);
      else this.#names.delete(name);
    }
  }

  /** Returns whether a tool must be called as a task. Reads the tool list first if it came from the cache. */
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
    return this.#names.has(name);
  }
}
