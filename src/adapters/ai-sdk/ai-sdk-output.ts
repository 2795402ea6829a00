import type { ToolProgress, ToolResult } from "../../index.ts";
import type { Answer } from "../model-content.ts";

/** What `execute` gives: on the way the progress, at the end what the tool answered. */
export interface AiSdkOutput extends Answer {
  readonly details?: ToolResult["details"];
  readonly progress?: ToolProgress;
}
