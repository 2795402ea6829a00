import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingRequest, OutgoingResponse } from "../platform/index.ts";

/** Metrics and health checks of a gateway, for other programs. */
export interface Internals {
  isLive(): boolean;
  isReady(): boolean;
  isStarted(): boolean;
  metrics(): string;
}

const TEXT = { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" };
const METRICS = { ...TEXT, "content-type": "text/plain; version=0.0.4; charset=utf-8" };

/** Answers a request for metrics or a health check. Returns `false` for other paths. */
export function answerInternal(
  { method, target }: Pick<IncomingRequest, "method" | "target">,
  response: OutgoingResponse,
  internals: Internals,
): boolean {
  const path = target.split("?", 1)[0] ?? "";
  const checks: Readonly<Record<string, () => boolean>> = {
    "/livez": internals.isLive,
    "/readyz": internals.isReady,
    "/startupz": internals.isStarted,
  };
  const check = Object.hasOwn(checks, path) ? checks[path] : undefined;
  if (check === undefined && path !== "/metrics") return false;
  if (method !== "GET" && method !== "HEAD") response.send(405, { ...TEXT, allow: "GET" });
  else if (check === undefined) response.send(200, METRICS, internals.metrics());
  else response.send(check() ? 200 : 503, TEXT, check() ? "ok\n" : "not ok\n");
  return true;
}

/** Returns whether a request has this bearer token. Takes the same time for every wrong token. */
export function hasToken(
  { headers: { authorization = "" } }: Pick<IncomingRequest, "headers">,
  token: string,
): boolean {
  const [, given = ""] = /^Bearer (\S+)$/i.exec(authorization) ?? [];
  const hash = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(hash(given), hash(token));
}
