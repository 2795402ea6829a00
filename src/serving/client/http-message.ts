import type { IncomingRequest, OutgoingResponse } from "../../platform/index.ts";
import type { Endpoint } from "../endpoint.ts";
import type { ClientMessage } from "./client-messages.ts";

/** A POST request and its body. */
export interface HttpMessage {
  readonly endpoint: Endpoint;
  readonly request: IncomingRequest;
  readonly response: OutgoingResponse;
  readonly message: ClientMessage;
  /** Headers for web pages of other origins, if they are allowed. */
  readonly headers: Readonly<Record<string, string>>;
}
