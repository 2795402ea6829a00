import type { JsonObject } from "../json/json-value.ts";

/** Hints from a server about a tool's behavior. They are not verified, so no decision relies on them alone. */
export interface ToolAnnotations {
  /** A title for people. */
  readonly title?: string;
  /** The tool does not modify anything. */
  readonly readOnlyHint?: boolean;
  /** The tool may delete or overwrite data. */
  readonly destructiveHint?: boolean;
  /** Repeating a call with the same arguments has no further effect. */
  readonly idempotentHint?: boolean;
  /** The tool interacts with external systems. */
  readonly openWorldHint?: boolean;
}

/** A tool as its server defines it. Every field has been validated. */
export interface ToolDefinition {
  /** The server's name for the tool. */
  readonly name: string;
  /** A title for people. */
  readonly title?: string;
  /** What the tool does, for the model. */
  readonly description?: string;
  /** The JSON schema of the arguments. */
  readonly inputSchema: JsonObject;
  /** The JSON schema of the structured content. */
  readonly outputSchema?: JsonObject;
  /** Hints about the tool's behavior. */
  readonly annotations?: ToolAnnotations;
  /** Who the tool is for, as MCP Apps define it. Default: both. A tool that is not for the model is not offered to agents. */
  readonly visibility?: readonly ToolAudience[];
}

/** Who a tool is for: the model, or the user interface of an MCP App. */
export type ToolAudience = "model" | "app";

/** Returns whether a tool is for models, and not only for the user interface of an MCP App. */
export function isForModels({ visibility }: ToolDefinition): boolean {
  return visibility === undefined || visibility.includes("model");
}

/**
 * Marks the input schema of a tool whose schemas were omitted because they are too large to inspect. Such a tool is
 * quarantined.
 */
export const SCHEMA_OMITTED = "x-plugboard-left-out";

/** A resource as its server defines it. */
export interface ResourceDefinition {
  /** The URI to read the resource with. */
  readonly uri: string;
  /** The server's name for the resource. */
  readonly name: string;
  /** A title for people. */
  readonly title?: string;
  /** What the resource contains. */
  readonly description?: string;
  /** The media type, if the server states it. */
  readonly mimeType?: string;
}

/** A template for the URIs of related resources. */
export interface ResourceTemplateDefinition {
  /** An RFC 6570 template, such as `file:///{path}`. */
  readonly uriTemplate: string;
  /** The server's name for the template. */
  readonly name: string;
  /** A title for people. */
  readonly title?: string;
  /** What the resources contain. */
  readonly description?: string;
  /** The media type of all resources, if they have the same. */
  readonly mimeType?: string;
}

/** A prompt as its server defines it. */
export interface PromptDefinition {
  /** The server's name for the prompt. */
  readonly name: string;
  /** A title for people. */
  readonly title?: string;
  /** What the prompt is for. */
  readonly description?: string;
  /** The arguments that the prompt accepts. */
  readonly arguments: readonly {
    readonly name: string;
    readonly description?: string;
    readonly required: boolean;
  }[];
}

/** The definition of a tool when it was pinned. The name is stored separately. */
export type PinnedTool = { readonly [Field in Exclude<keyof ToolDefinition, "name">]?: unknown };
