/** Converts catalogs to agent tools: names, schemas, argument checks and results. The caller supplies the function that makes calls. */
export { checkArguments, checkOutput, describeParameters, patternsFor } from "./check/check-arguments.ts";
export { toContentPart } from "./content-part.ts";
export { costMoreThan, estimateTokens, toMetaTools, toToolLoopTools } from "./meta-tools.ts";
export type { OfferKind } from "./offer-tools.ts";
export { toOfferTools } from "./offer-tools.ts";
export { sameTools } from "./same-tools.ts";
export { convertSchema } from "./schema/convert-schema.ts";
export { INSPECTION_VERSION, isPlain, markAsPlain } from "./schema/inspect-schema.ts";
export { quarantineReason } from "./schema/quarantine.ts";
export type { ToolFinder } from "./search/tool-finder.ts";
export { createToolFinder } from "./search/tool-finder.ts";
export type { BridgeOptions, ToolSource } from "./to-agent-tools.ts";
export { byName, toAgentTools } from "./to-agent-tools.ts";
export type { Collision, NamedTool, WantedName } from "./tool-name.ts";
export { byServerAndTool, pairId, plainToolName, ToolNames } from "./tool-name.ts";
export type { Artifact, KeptArtifact } from "./tool-result.ts";
export { toToolResult } from "./tool-result.ts";
