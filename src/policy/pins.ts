import { createHash } from "node:crypto";
import {
  canonicalJson,
  type JsonObject,
  memoize,
  type PinnedTool,
  type PinPolicy,
  type Server,
  sameJson,
  type ToolDefinition,
} from "../model/index.ts";
import { isTrusted } from "./call-answer.ts";
import { type LaunchChange, launchChanges } from "./launch-changes.ts";

/** A server's tools as they were when they were looked at, by name. */
export type PinnedTools = ReadonlyMap<string, PinnedTool>;

/** A tool that is not as it was. */
export interface ToolDifference {
  readonly tool: string;
  readonly kind: "changed" | "new" | "gone";
  /** Field by field; all of a new one is new. */
  readonly changes: readonly LaunchChange[];
}

/** What of a definition reaches a model, or decides over it. */
const FIELDS: readonly (keyof PinnedTool)[] = [
  "title",
  "description",
  "inputSchema",
  "outputSchema",
  "annotations",
];

export function pinnedFields(tool: PinnedTool): JsonObject {
  const fields = FIELDS.flatMap((field) => (tool[field] === undefined ? [] : [[field, tool[field]]]));
  return Object.fromEntries(fields) as JsonObject;
}

/** SHA-256 over name, title, description, schemas and annotations. */
export const toolHash: (tool: ToolDefinition) => string = memoize((tool: ToolDefinition) =>
  sha256(canonicalJson([tool.name, pinnedFields(tool)])),
);

/** One hash for a whole list, so that what is accepted is what was looked at. */
export function listHash(tools: readonly ToolDefinition[]): string {
  return sha256(tools.map(toolHash).sort().join("\n"));
}

/** What is different now. A renamed tool is one gone and one new. */
export function comparePins(pinned: PinnedTools, tools: readonly ToolDefinition[]): ToolDifference[] {
  const now = new Map(tools.map((tool) => [tool.name, tool]));
  const changed = tools.flatMap((tool): ToolDifference[] => {
    const before = pinned.get(tool.name);
    if (before === undefined)
      return [{ tool: tool.name, kind: "new", changes: launchChanges({}, pinnedFields(tool)) }];
    if (FIELDS.every((field) => sameJson(before[field], tool[field]))) return [];
    const changes = launchChanges(pinnedFields(before), pinnedFields(tool));
    return [{ tool: tool.name, kind: "changed", changes }];
  });
  const gone = [...pinned.keys()].filter((name) => !now.has(name));
  return [...changed, ...gone.map((tool): ToolDifference => ({ tool, kind: "gone", changes: [] }))];
}

/** Strangers' tools are held back when they change; a person's own are told of. */
export function pinPolicy(server: Server): PinPolicy {
  return server.rules.pins ?? (isTrusted(server) && server.provenance.tier !== "project" ? "warn" : "hold");
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
