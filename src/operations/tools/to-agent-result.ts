import { type Artifact, type KeptArtifact, toToolResult } from "../../bridge/index.ts";
import type { JsonObject, Server, ToolResult } from "../../model/index.ts";
import { createPace } from "../../platform/index.ts";
import type { Workspace } from "../workspace.ts";

/** Converts a server's response for an agent. Saves long text and binary data in files. */
export function toAgentResult(
  { artifacts, inventory }: Workspace,
  server: Server,
  tool: string,
  raw: JsonObject,
  textLimit?: number,
): Promise<ToolResult> {
  const { resultChars, resultMediaBytes } = inventory().settings;
  const source = server.provenance;
  const details = { serverName: server.name, mcpToolName: tool, provider: source.tool, source };
  return toToolResult(raw, details, {
    textLimit: textLimit ?? resultChars,
    mediaLimit: resultMediaBytes,
    isHostile: server.rules.trust === "untrusted",
    pace: createPace(),
    keep: (artifact: Artifact): Promise<KeptArtifact | undefined> => {
      const content = "text" in artifact ? artifact.text : Buffer.from(artifact.base64, "base64");
      return artifacts.keep(content, artifact.mimeType);
    },
  });
}
