import type { JsonObject } from "../json/json-value.ts";

/** What a server says of a tool's behaviour. Hints from the server: no decision rests on them alone. */
export interface ToolAnnotations {
  readonly title?: string;
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/** A tool as its server defines it, checked item by item. */
export interface ToolDefinition {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly annotations?: ToolAnnotations;
}

/** Marks the input schema of a tool whose schemas were left out because they are too large to inspect. Such a tool is quarantined. */
export const LEFT_OUT = "x-plugboard-left-out";

export interface ResourceDefinition {
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
}

/** A family of resources: the parts in braces are filled in. */
export interface ResourceTemplateDefinition {
  readonly uriTemplate: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
}

export interface PromptDefinition {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly arguments: readonly {
    readonly name: string;
    readonly description?: string;
    readonly required: boolean;
  }[];
}

/** A definition as it was when it was looked at; its name is kept beside it. */
export type PinnedTool = { readonly [Field in Exclude<keyof ToolDefinition, "name">]?: unknown };
