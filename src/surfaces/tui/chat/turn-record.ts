import type { AssistantContent, ModelMessage, TextStreamPart, ToolResultPart, ToolSet } from "ai";
import type { AiSdkOutput } from "../../../adapters/ai-sdk/index.ts";
import type { Session } from "../../../index.ts";
import type { ChatEvent } from "./chat-event.ts";
import { describeCallError } from "./models/model-error.ts";

/** A call of the current step. */
interface RunningCall {
  readonly id: string;
  readonly name: string;
  readonly server: string;
  readonly tool: string;
  readonly input: unknown;
  readonly startedAt: number;
  readonly options: ToolResultPart["providerOptions"];
  answer?: { readonly text: string; readonly isError: boolean };
}

/** Records a turn and emits its events. At any time it can return messages that a provider accepts. */
export interface TurnRecord {
  /** Starts a step. `before` contains the messages of the previous steps. */
  startStep(before: readonly ModelMessage[]): void;
  take(part: TextStreamPart<ToolSet>): void;
  /** Ends the turn early. Running calls get `reason` as their result. */
  close(reason: string): ModelMessage[];
}

export function createTurnRecord(
  session: Pick<Session, "snapshot">,
  onEvent: (event: ChatEvent) => void,
): TurnRecord {
  let settled: readonly ModelMessage[] = [];
  let text = "";
  let calls = new Map<string, RunningCall>();

  const start = (part: Extract<TextStreamPart<ToolSet>, { type: "tool-call" }>): void => {
    const { toolCallId: id, toolName: name, input } = part;
    const held = session.snapshot().tools.find((tool) => tool.name === name);
    const { server, tool, args } = innerCall({
      server: held?.server ?? "",
      tool: held?.tool ?? name,
      args: input,
    });
    // Gemini requires its signature to be sent back with the call.
    const google = part.providerMetadata?.["google"];
    const options = google && { google };
    calls.set(id, { id, name, server, tool, input, startedAt: performance.now(), options });
    onEvent({ type: "call.started", id, server, tool, args });
  };
  const end = (
    id: string,
    answer: { readonly text: string; readonly isError: boolean },
    details?: AiSdkOutput["details"],
  ): void => {
    const call = calls.get(id);
    if (call === undefined || call.answer !== undefined) return;
    call.answer = answer;
    const { serverName: server, mcpToolName: tool } = details ?? {
      serverName: call.server,
      mcpToolName: call.tool,
    };
    const ms = Math.round(performance.now() - call.startedAt);
    onEvent({ type: "call.ended", id, server, tool, ...answer, ms });
  };
  return {
    startStep(before) {
      settled = before;
      text = "";
      calls = new Map();
    },
    take(part) {
      switch (part.type) {
        case "text-delta":
          text += part.text;
          onEvent({ type: "text", text: part.text });
          break;
        case "reasoning-delta":
          onEvent({ type: "reasoning", text: part.text });
          break;
        case "tool-call":
          start(part);
          break;
        case "tool-result": {
          const { toolCallId: id, output } = part;
          const { text: said, isError, progress, details } = output as AiSdkOutput;
          if (part.preliminary === true) {
            if (progress !== undefined) onEvent({ type: "call.progress", id, progress });
          } else end(id, { text: said, isError }, details);
          break;
        }
        case "tool-error":
          end(part.toolCallId, { text: describeCallError(part.error, part.toolName), isError: true });
          break;
        default:
      }
    },
    close(reason) {
      for (const { id } of calls.values()) end(id, { text: reason, isError: true });
      return [...settled, ...unfinishedStep(text, [...calls.values()])];
    },
  };
}

interface NamedCall {
  readonly server: string;
  readonly tool: string;
  readonly args: unknown;
}

/** Returns the inner call if the model used `mcp_call_tool`. */
function innerCall(call: NamedCall): NamedCall {
  if (call.server !== "plugboard" || call.tool !== "mcp_call_tool") return call;
  const { name, arguments: args = {} } = (call.args ?? {}) as { name?: unknown; arguments?: unknown };
  return typeof name === "string" ? { server: "", tool: name, args } : call;
}

/** Returns the messages of an unfinished step. */
function unfinishedStep(text: string, calls: readonly RunningCall[]): ModelMessage[] {
  const content: Exclude<AssistantContent, string> = [
    ...(text.trim() === "" ? [] : [{ type: "text" as const, text }]),
    ...calls.map(({ id, name, input, options }) => ({
      type: "tool-call" as const,
      toolCallId: id,
      toolName: name,
      input,
      ...(options && { providerOptions: options }),
    })),
  ];
  const results = calls.map(
    ({ id, name, answer }): ToolResultPart => ({
      type: "tool-result",
      toolCallId: id,
      toolName: name,
      output: { type: answer?.isError === false ? "text" : "error-text", value: answer?.text ?? "" },
    }),
  );
  return [
    ...(content.length === 0 ? [] : [{ role: "assistant" as const, content }]),
    ...(results.length === 0 ? [] : [{ role: "tool" as const, content: results }]),
  ];
}
