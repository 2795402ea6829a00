import type { JsonObject, JsonValue } from "./json/json-value.ts";

/**
 * What travels, written by hand and compared with the official SDK's types by `test/wire-types.test.ts`. Type aliases, so
 * that they are JSON objects too. What comes in is checked before it is taken for one of these.
 */
export type TextContent = { readonly type: "text"; readonly text: string };

export type MediaContent = {
  readonly type: "image" | "audio";
  /** Base64. */
  readonly data: string;
  readonly mimeType: string;
};

/** A model asks for a tool. */
export type ToolUseContent = {
  readonly type: "tool_use";
  readonly id: string;
  readonly name: string;
  readonly input: JsonObject;
};

/** What the tool answered. */
export type ToolResultContent = {
  readonly type: "tool_result";
  readonly toolUseId: string;
  readonly content: readonly JsonObject[];
  readonly structuredContent?: JsonObject;
  readonly isError?: boolean;
};

export type SamplingContent = TextContent | MediaContent | ToolUseContent | ToolResultContent;

export type ClientCapabilities = {
  readonly elicitation?: { readonly form?: JsonObject; readonly url?: JsonObject };
  readonly sampling?: { readonly tools?: JsonObject };
  readonly roots?: { readonly listChanged?: boolean };
  readonly extensions?: Readonly<Record<string, JsonObject>>;
};

export type InitializeParams = {
  readonly protocolVersion: string;
  readonly capabilities: ClientCapabilities;
  readonly clientInfo: { readonly name: string; readonly version: string };
};

export type CallToolParams = {
  readonly name: string;
  readonly arguments: JsonObject;
  readonly _meta?: JsonObject;
};

export type ElicitationResult =
  | { readonly action: "accept"; readonly content?: Readonly<Record<string, FormValue>> }
  | { readonly action: "decline" | "cancel" };

/** What a field of a form can hold. */
export type FormValue = string | number | boolean | readonly string[];

export type SamplingResult = {
  readonly role: "assistant";
  readonly content: SamplingContent | readonly SamplingContent[];
  readonly model: string;
  readonly stopReason?: string;
};

export type RootsResult = { readonly roots: readonly { readonly uri: string; readonly name?: string }[] };

export type ProgressParams = {
  readonly progressToken: string | number;
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
};

export type LogParams = {
  readonly level: string;
  readonly logger?: string;
  readonly data: JsonValue;
};
