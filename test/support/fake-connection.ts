import type { Connection } from "../../src/connection/index.ts";
import type { JsonObject } from "../../src/model/index.ts";

export interface FakeConnection extends Connection {
  /** Every request: its method, and its cursor if it has one. */
  readonly asked: string[];
  notify(method: string, params?: JsonObject): void;
}

/** A connection to a server called "files" with scripted responses. */
export function createFakeConnection(
  answer: (method: string, params: JsonObject) => JsonObject | Promise<JsonObject>,
  capabilities: readonly string[] = ["tools"],
): FakeConnection {
  const asked: string[] = [];
  const listeners = new Set<(method: string, params: JsonObject) => void>();
  return {
    server: "files",
    facts: {
      name: "files",
      version: "1.0.0",
      protocolVersion: "2025-11-25",
      era: "legacy",
      transport: "stdio",
      capabilities,
      instructions: "Paths are absolute.",
    },
    ended: new Promise(() => {}),
    async request(method, params) {
      const { cursor } = params;
      asked.push(typeof cursor === "string" ? `${method} ${cursor}` : method);
      return answer(method, params);
    },
    onNotification(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: async () => {},
    asked,
    notify(method, params = {}) {
      for (const listener of Array.from(listeners)) listener(method, params);
    },
  };
}
