import type { ActivityOutcome, ActivityRow } from "../../src/page-api.ts";

/** Returns the same numbers between 0 and 1 for the same seed. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

const ITEMS = [
  ["files", "read_text_file", 8],
  ["files", "list_directory", 5],
  ["github", "search_issues", 260],
  ["github", "create_pull_request", 740],
  ["browser", "navigate", 1_900],
  ["memory", "search_nodes", 4],
] as const;
const OUTCOMES: readonly ActivityOutcome[] = ["tool_error", "refused", "failed", "cancelled", "timed_out"];
const CLIENTS = [
  { name: "claude-code", version: "2.4.1" },
  { name: "cursor", version: "3.0.2" },
] as const;

/** Requests of the last days, the newest first. */
export function activityRows(now: number, count: number, seed = 3): ActivityRow[] {
  const random = randomFrom(seed);
  let at = now;
  return Array.from({ length: count }, (_, index) => {
    at -= Math.round(random() * 40_000) + 400;
    const [server, item, latency] = ITEMS[Math.floor(random() * ITEMS.length)] ?? ITEMS[0];
    const outcome = random() < 0.06 ? (OUTCOMES[Math.floor(random() * OUTCOMES.length)] ?? "failed") : "ok";
    const isList = random() < 0.08;
    return {
      id: idOf(count - index, seed),
      at,
      client: CLIENTS[index % 3 === 0 ? 1 : 0],
      session: index % 3 === 0 ? "c-77aa" : "c-5f21",
      endpoint: "/mcp",
      method: isList ? "tools/list" : "tools/call",
      ...(isList ? {} : { server, item, serverEra: "legacy" as const, argumentsHash: "9c1f42d0a7" }),
      clientEra: index % 3 === 0 ? "legacy" : "modern",
      outcome,
      ...(outcome === "failed" ? { code: -32_603 } : {}),
      durationMs: Math.max(1, Math.round(latency * (0.5 + random()))),
      bytesOut: Math.round(random() * 20_000),
    };
  });
}

/** An id that sorts by time. */
export function idOf(number: number, seed = 3): string {
  return `${String(number).padStart(8, "0")}-${seed}`;
}
