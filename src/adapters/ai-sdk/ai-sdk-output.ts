import type { ToolProgress, ToolResult } from "../../index.ts";
import type { ModelResult } from "../model-content.ts";

/** An output of `execute`: progress while the tool runs, and finally the result. */
export interface AiSdkOutput extends ModelResult {
  /** Details of the result. Absent in progress outputs and refused calls. */
  readonly details?: ToolResult["details"];
  /** The progress. Absent in the final output. */
  readonly progress?: ToolProgress;
}
