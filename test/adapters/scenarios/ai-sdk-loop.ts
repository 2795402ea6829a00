import type { Run } from "./driver.ts";

/** The part of a generation that both versions of the AI SDK have. */
interface Generation<Message> {
  readonly text: string;
  readonly content: readonly { readonly type: string }[];
  readonly messages: readonly Message[];
}

interface ApprovalRequest {
  readonly type: "tool-approval-request";
  readonly approvalId: string;
  readonly toolCall: { readonly input: unknown };
}

interface Prompt {
  readonly role: "user";
  readonly content: string;
}

interface Approvals {
  readonly role: "tool";
  readonly content: { type: "tool-approval-response"; approvalId: string; approved: boolean }[];
}

/** Generates until no call waits for approval. */
export async function approving<Message>(
  run: Run,
  generate: (messages: (Message | Prompt | Approvals)[]) => Promise<Generation<Message>>,
): Promise<string[]> {
  const history: (Message | Prompt | Approvals)[] = [{ role: "user", content: "go" }];
  for (;;) {
    const { text, content, messages } = await generate(history);
    history.push(...messages);
    const requests = content.filter(isRequest);
    if (requests.length === 0) return [text];
    history.push({
      role: "tool",
      content: requests.map(({ approvalId, toolCall }) => ({
        type: "tool-approval-response",
        approvalId,
        approved: run.approve(toolCall.input),
      })),
    });
  }
}

function isRequest(part: { readonly type: string }): part is ApprovalRequest {
  return part.type === "tool-approval-request";
}

export async function collect(stream: AsyncIterable<string>): Promise<string[]> {
  const chunks: string[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return chunks;
}
