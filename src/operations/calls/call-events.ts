import {
  type CallOutcome,
  type ContentPart,
  isHostError,
  type ResourceContent,
  ToolAbortError,
} from "../../model/index.ts";
import type { Workspace } from "../workspace.ts";
import type { CallKind, MiddlewareResult } from "./middleware.ts";

/** The call that events report. */
interface ReportedCall {
  readonly kind: CallKind;
  readonly server: string;
  readonly tool: string;
}

/** Publishes `call.started` and, after `work`, `call.finished`. */
export async function publishCall<T extends MiddlewareResult>(
  { events, calls, ports: { clock } }: Workspace,
  { kind, server, tool }: ReportedCall,
  work: () => Promise<T>,
): Promise<T> {
  const now = (): number => clock.elapsed?.() ?? clock.now();
  const id = calls.nextId();
  const startedAt = now();
  const finish = (outcome: Pick<CallOutcome, "outcome" | "bytes" | "errorCode">): void => {
    const durationMs = Math.max(0, now() - startedAt);
    events.publish({ type: "call.finished", id, kind, server, tool, durationMs, ...outcome });
  };
  events.publish({ type: "call.started", id, kind, server, tool });
  try {
    const result = await work();
    const isError = result !== undefined && "isError" in result && result.isError;
    finish({ outcome: isError ? "error" : "ok", bytes: sizeOf(result) });
    return result;
  } catch (error) {
    const isCancelled = error instanceof ToolAbortError;
    const errorCode = isHostError(error) ? { errorCode: error.code } : {};
    finish({ outcome: isCancelled ? "cancelled" : "failed", bytes: 0, ...errorCode });
    throw error;
  }
}

/** The size of the text and media in a result, in bytes. */
function sizeOf(result: MiddlewareResult): number {
  if (result === undefined) return 0;
  if ("parts" in result) return sumOf(result.parts, sizeOfPart);
  if ("contents" in result) return sumOf(result.contents, sizeOfContent);
  if ("messages" in result) return sumOf(result.messages, ({ content }) => sizeOfPart(content));
  return Buffer.byteLength(JSON.stringify(result));
}

function sizeOfPart(part: ContentPart): number {
  if ("data" in part) return bytesOf(part.data, "base64");
  return part.type === "resource_link" ? bytesOf(part.uri) : sizeOfContent(part);
}

function sizeOfContent({ text = "", blob = "" }: Partial<Pick<ResourceContent, "text" | "blob">>): number {
  return bytesOf(text) + bytesOf(blob, "base64");
}

/** A middleware may return anything. An event must not make its call fail. */
function bytesOf(text: unknown, encoding?: "base64"): number {
  return typeof text === "string" ? Buffer.byteLength(text, encoding) : 0;
}

function sumOf<T>(items: readonly T[], size: (item: T) => number): number {
  return items.reduce((sum, item) => sum + size(item), 0);
}
