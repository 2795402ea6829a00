import type { Telemetry } from "./telemetry.ts";

/** Where `@opentelemetry/api` 1.x keeps the SDK that a program registered. All copies of the package in a process share it. */
const REGISTERED = Symbol.for("opentelemetry.js.api.1");

let loading: Promise<Telemetry | undefined> | undefined;

/**
 * Returns the way to report to OpenTelemetry, or `undefined` if the program registered no SDK. In that case nothing is loaded, because
 * `@opentelemetry/api` alone takes longer to load than most servers take to answer.
 */
export function findTelemetry(): Promise<Telemetry | undefined> | undefined {
  if (!(REGISTERED in globalThis)) return undefined;
  loading ??= import("./open-telemetry.lazy.ts").then(({ loadOpenTelemetry }) => loadOpenTelemetry());
  return loading;
}
