import type { JsonObject, JsonValue } from "./json/json-value.ts";

/*
 * The protocol's message types. `test/wire-types.test.ts` compares them with the official SDK's types. They are type
 * aliases so that they are assignable to `JsonObject`. Incoming messages are validated before they get one of these types.
 */

/** Text in a message. */
export type TextContent = { readonly type: "text"; readonly text: string };

/** An image or audio clip in a message. */
export type MediaContent = {
  readonly type: "image" | "audio";
  /** The content, encoded as base64. */
  readonly data: string;
  readonly mimeType: string;
};

/** A model's request to call a tool. */
export type ToolUseContent = {
  readonly type: "tool_use";
  readonly id: string;
  readonly name: string;
  readonly input: JsonObject;
};

/** The result of a tool call that a model requested. */
export type ToolResultContent = {
  readonly type: "tool_result";
  readonly toolUseId: string;
  readonly content: readonly JsonObject[];
  readonly structuredContent?: JsonObject;
  readonly isError?: boolean;
};

/** One part of a message in a sampling request or response. */
export type SamplingContent = TextContent | MediaContent | ToolUseContent | ToolResultContent;

/** The optional features that a client announces to a server. */
export type ClientCapabilities = {
  readonly elicitation?: { readonly form?: JsonObject; readonly url?: JsonObject };
  readonly sampling?: { readonly tools?: JsonObject };
  readonly roots?: { readonly listChanged?: boolean };
  readonly extensions?: Readonly<Record<string, JsonObject>>;
};

/** The parameters of `initialize`. */
export type InitializeParams = {
  readonly protocolVersion: string;
  readonly capabilities: ClientCapabilities;
  readonly clientInfo: { readonly name: string; readonly version: string };
};

/** The parameters of `tools/call`. */
export type CallToolParams = {
  readonly name: string;
  readonly arguments: JsonObject;
  readonly _meta?: JsonObject;
};

/** The result of `elicitation/create`. */
export type ElicitationResult =
  | { readonly action: "accept"; readonly content?: Readonly<Record<string, FormValue>> }
  | { readonly action: "decline" | "cancel" };

/** The value of a form field. */
export type FormValue = string | number | boolean | readonly string[];

/** The result of `sampling/createMessage`. */
export type SamplingResult = {
  readonly role: "assistant";
  readonly content: SamplingContent | readonly SamplingContent[];
  readonly model: string;
  readonly stopReason?: string;
};

/** The result of `roots/list`. */
export type RootsResult = { readonly roots: readonly { readonly uri: string; readonly name?: string }[] };

/** The parameters of `notifications/progress`. */
export type ProgressParams = {
  readonly progressToken: string | number;
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
};

/** The parameters of `notifications/message`. */
export type LogParams = {
  readonly level: string;
  readonly logger?: string;
  readonly data: JsonValue;
};
