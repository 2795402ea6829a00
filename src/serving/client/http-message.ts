import type { IncomingRequest, OutgoingResponse } from "../../platform/index.ts";
import type { Rights } from "../access/rights.ts";
import type { Endpoint } from "../endpoint.ts";
import type { ClientMessage } from "./client-messages.ts";

/** A POST request and its body. */
export interface HttpMessage {
  readonly endpoint: Endpoint;
  readonly request: IncomingRequest;
  readonly response: OutgoingResponse;
  readonly message: ClientMessage;
  /** What the token of the request allows. Not set for local clients. */
  readonly rights?: Rights | undefined;
  /** Headers for web pages of other origins, if they are allowed. */
  readonly headers: Readonly<Record<string, string>>;
}
