import type { ContentPart } from "./agent-tool.ts";

/** One piece of a resource: text, or bytes in base64. */
export interface ResourceContent {
  readonly uri: string;
  readonly mimeType?: string;
  readonly text?: string;
  readonly blob?: string;
}

export interface ResourceResult {
  readonly contents: readonly ResourceContent[];
}

export interface PromptMessage {
  readonly role: "user" | "assistant";
  readonly content: ContentPart;
}

/** A prompt with its arguments filled in by its server. */
export interface PromptResult {
  readonly description?: string;
  readonly messages: readonly PromptMessage[];
}

/** What an argument belongs to, in the protocol's words; `uri` may be a template. */
export type CompletionRef =
  | { readonly type: "ref/prompt"; readonly name: string }
  | { readonly type: "ref/resource"; readonly uri: string };

export interface CompletionArgument {
  readonly name: string;
  /** What was typed so far. */
  readonly value: string;
  /** Other arguments that are already known. */
  readonly known?: Readonly<Record<string, string>>;
}

export interface Completion {
  readonly values: readonly string[];
  readonly total?: number;
  readonly hasMore: boolean;
}
