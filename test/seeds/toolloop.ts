import type { SeedRow } from "./seed-row.ts";
import { toolloopConfigRows } from "./toolloop-config.ts";
import { toolloopLifecycleRows } from "./toolloop-lifecycle.ts";
import { toolloopSchemaRows } from "./toolloop-schema.ts";

/** Seed 003, Codex ToolLoop SPEC 010. */
export const toolloop: readonly SeedRow[] = [
  ...toolloopConfigRows,
  ...toolloopSchemaRows,
  ...toolloopLifecycleRows,
];
