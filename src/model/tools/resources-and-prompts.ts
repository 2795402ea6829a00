import type { ContentPart } from "./agent-tool.ts";

/** One part of a resource: either `text` or `blob` is set. */
export interface ResourceContent {
  /** The URI of this part. */
  readonly uri: string;
  /** The media type of this part. */
  readonly mimeType?: string;
  /** The content of a text resource. */
  readonly text?: string;
  /** The content of a binary resource, encoded as base64. */
  readonly blob?: string;
}

/** The content of a resource. */
export interface ResourceResult {
  /** The parts of the resource. */
  readonly contents: readonly ResourceContent[];
}

/** One message of a prompt. */
export interface PromptMessage {
  /** Whose message it is. */
  readonly role: "user" | "assistant";
  /** One part of the message. */
  readonly content: ContentPart;
}

/** A prompt with its arguments filled in by the server. */
export interface PromptResult {
  /** What the prompt is for. */
  readonly description?: string;
  /** The messages to send to a model. */
  readonly messages: readonly PromptMessage[];
}

/** The prompt or resource that an argument belongs to, as the protocol writes it. `uri` can be a template. */
export type CompletionRef =
  | { readonly type: "ref/prompt"; readonly name: string }
  | { readonly type: "ref/resource"; readonly uri: string };

/** The argument to complete. */
export interface CompletionArgument {
  /** The name of the argument. */
  readonly name: string;
  /** The text typed so far. */
  readonly value: string;
  /** The values of other arguments that are already filled in. */
  readonly known?: Readonly<Record<string, string>>;
}

/** A server's suggestions for an argument. */
export interface Completion {
  /** The suggested values. */
  readonly values: readonly string[];
  /** The number of matching values, if the server knows it. */
  readonly total?: number;
  /** Whether there are more values than the server returned. */
  readonly hasMore: boolean;
}
