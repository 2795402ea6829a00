import { createHash } from "node:crypto";
import {
  canonicalJson,
  isEqualJson,
  type JsonObject,
  memoize,
  type PinnedTool,
  type PinPolicy,
  type Server,
  type ToolDefinition,
} from "../model/index.ts";
import { isTrusted } from "./decide-call.ts";
import { type LaunchChange, launchChanges } from "./launch-changes.ts";

/** A server's pinned tools, by name. */
export type PinnedTools = ReadonlyMap<string, PinnedTool>;

/** A difference between a tool and its pinned version. */
export interface ToolDifference {
  /** The server's name for the tool. */
  readonly tool: string;
  /** Whether the tool changed, is new, or is no longer offered. */
  readonly kind: "changed" | "new" | "gone";
  /** The changed fields. For a new tool, all fields. */
  readonly changes: readonly LaunchChange[];
}

/** The fields of a definition that reach a model or affect decisions. */
const FIELDS: readonly (keyof PinnedTool)[] = [
  "title",
  "description",
  "inputSchema",
  "outputSchema",
  "annotations",
  "visibility",
];

export function pinnedFields(tool: PinnedTool): JsonObject {
  const fields = FIELDS.flatMap((field) => (tool[field] === undefined ? [] : [[field, tool[field]]]));
  return Object.fromEntries(fields) as JsonObject;
}

/** SHA-256 of name, title, description, schemas, annotations and visibility. */
export const toolHash: (tool: ToolDefinition) => string = memoize((tool: ToolDefinition) =>
  sha256(canonicalJson([tool.name, pinnedFields(tool)])),
);

/** Returns one hash for a list of tools, so that only the reviewed list can be accepted. */
export function listHash(tools: readonly ToolDefinition[]): string {
  return sha256(tools.map(toolHash).sort().join("\n"));
}

/** Compares tools with their pinned versions. A renamed tool is reported as one removed and one new tool. */
export function comparePins(pinned: PinnedTools, tools: readonly ToolDefinition[]): ToolDifference[] {
  const now = new Map(tools.map((tool) => [tool.name, tool]));
  const changed = tools.flatMap((tool): ToolDifference[] => {
    const before = pinned.get(tool.name);
    if (before === undefined)
      return [{ tool: tool.name, kind: "new", changes: launchChanges({}, pinnedFields(tool)) }];
    if (FIELDS.every((field) => isEqualJson(before[field], tool[field]))) return [];
    const changes = launchChanges(pinnedFields(before), pinnedFields(tool));
    return [{ tool: tool.name, kind: "changed", changes }];
  });
  const gone = [...pinned.keys()].filter((name) => !now.has(name));
  return [...changed, ...gone.map((tool): ToolDifference => ({ tool, kind: "gone", changes: [] }))];
}

/** Changed tools of untrusted or project servers are held by default. Other servers only get a warning. */
export function pinPolicy(server: Server): PinPolicy {
  return server.rules.pins ?? (isTrusted(server) && server.provenance.tier !== "project" ? "warn" : "hold");
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
