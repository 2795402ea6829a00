import type { Clock, Host } from "../../src/index.ts";
import type { Outcome } from "./fault.ts";

export function exercise(host: Host, act?: "connect" | "call" | "list"): Promise<Outcome>;

export const HURRIED_CLOCK: Clock;
