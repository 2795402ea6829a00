import type { JsonObject } from "../../model/index.ts";

/** A call that a person must approve. */
export interface InboxCall {
  readonly person: string;
  readonly server: string;
  /** The server's own name of the tool or prompt, or the URI of the resource. */
  readonly item: string;
  /** The hash of the whole request. A decision covers nothing else. */
  readonly requestHash: string;
  /** The arguments, without known secrets. */
  readonly shown: JsonObject;
}

/** Holds calls that wait for a person's decision, if the client cannot ask. */
export interface CallInbox {
  /** Consumes an approval of exactly this call, or adds the call to those that wait. */
  ask(call: InboxCall): Promise<InboxAnswer>;
}

export type InboxAnswer =
  | { readonly state: "allowed" }
  | { readonly state: "denied" }
  /** The page on which the call can be approved. */
  | { readonly state: "waiting"; readonly url: string };
