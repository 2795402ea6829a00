import { type Artifact, type KeptArtifact, toShortResult, toToolResult } from "../../bridge/index.ts";
import type { CallOptions, JsonObject, Server, ToolResult } from "../../model/index.ts";
import { createPace } from "../../platform/index.ts";
import type { SavedResult } from "../../state/index.ts";
import type { Workspace } from "../workspace.ts";

/** Converts a server's response for an agent. Saves long text and binary data, which takes time. */
export function toAgentResult(
  { stores, inventory }: Workspace,
  server: Server,
  tool: string,
  raw: JsonObject,
  { textLimit, signal }: Pick<CallOptions, "textLimit" | "signal">,
): ToolResult | Promise<ToolResult> {
  const { resultChars, resultMediaBytes } = inventory().settings;
  const source = server.provenance;
  const details = { serverName: server.name, mcpToolName: tool, provider: source.tool, source };
  const limits = { textLimit: textLimit ?? resultChars, isHostile: server.rules.trust === "untrusted" };
  const short = toShortResult(raw, details, limits);
  if (short !== undefined) return short;
  let saved: SavedResult | undefined; // most results have nothing to save
  return toToolResult(raw, details, {
    ...limits,
    mediaLimit: resultMediaBytes,
    pace: createPace(),
    keep: (artifact: Artifact): Promise<KeptArtifact | undefined> => {
      saved ??= { signal };
      const content = "text" in artifact ? artifact.text : Buffer.from(artifact.base64, "base64");
      return stores.artifacts.keep(
        { server: server.name, tool, mimeType: artifact.mimeType, content },
        saved,
      );
    },
  });
}
