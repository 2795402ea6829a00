import type { ServerFacts } from "../../model/index.ts";
import type { Clock } from "../../platform/index.ts";
import type { Channel } from "../wire/channel.ts";
import type { RequestObserver } from "../wire/request-observer.ts";

/** What spans contain about a connection. */
export interface TracedConnection {
  readonly server: string;
  readonly channel: Pick<Channel, "transport" | "session">;
  /** The address of a remote server. */
  readonly url: URL | undefined;
  readonly clock: Clock;
  /** Masks secrets in names. */
  redact(text: string): string;
}

/** Reports to the program's OpenTelemetry SDK. */
export interface Telemetry {
  /** Starts a server inside a tracing span. */
  traceStart<T extends { readonly facts: ServerFacts }>(server: string, start: () => Promise<T>): Promise<T>;
  /** Creates a span and a measurement for each request of a connection. */
  observe(connection: TracedConnection): RequestObserver;
}
