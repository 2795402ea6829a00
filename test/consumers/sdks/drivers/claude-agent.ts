import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { query } from "@anthropic-ai/claude-agent-sdk";
import { claudeAgentTools } from "../../../../src/adapters/claude-agent/index.ts";
import type { Driver } from "../../../adapters/scenarios/driver.ts";

export const claudeAgent: Driver = {
  name: "Claude Agent SDK",
  asks: "sdk",
  follows: "next request",
  nameOf: (name) => `mcp__plugboard__${name}`,
  async run({ session, url, signal, isStreamed, approve }) {
    const folder = mkdtempSync(join(tmpdir(), "claude-"));
    const abortController = new AbortController();
    signal.addEventListener("abort", () => abortController.abort());
    const { mcpServers, canUseTool } = claudeAgentTools(session);
    const chunks: string[] = [];
    try {
      const run = query({
        prompt: "go",
        options: {
          cwd: folder,
          env: {
            HOME: folder,
            PATH: process.env["PATH"],
            ANTHROPIC_API_KEY: "test",
            ANTHROPIC_BASE_URL: url,
            CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
          },
          model: "claude-opus-4-6",
          tools: [],
          settingSources: [],
          includePartialMessages: isStreamed,
          abortController,
          mcpServers,
          canUseTool: canUseTool(async (_tool, input) =>
            approve(input)
              ? { behavior: "allow", updatedInput: input }
              : { behavior: "deny", message: "The person denied the call." },
          ),
        },
      });
      for await (const message of run) {
        if (message.type === "stream_event" && message.event.type === "content_block_delta")
          if (message.event.delta.type === "text_delta") chunks.push(message.event.delta.text);
        if (!isStreamed && message.type === "result" && message.subtype === "success")
          chunks.push(message.result);
      }
      return chunks;
    } finally {
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    }
  },
};
