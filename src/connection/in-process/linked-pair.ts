import type { McpTransport } from "../../model/index.ts";

/** One end of a connection inside this program. Messages are delivered immediately. */
class LinkedTransport implements McpTransport {
  other: LinkedTransport | undefined;
  onmessage?: (message: object) => void;
  onclose?: () => void;

  async start(): Promise<void> {}

  async send(message: object): Promise<void> {
    if (this.other === undefined) throw new Error("the connection is closed");
    this.other.onmessage?.(message);
  }

  async close(): Promise<void> {
    const { other } = this;
    if (other === undefined) return;
    this.other = undefined;
    other.other = undefined;
    other.onclose?.();
    this.onclose?.();
  }
}

/** Creates the two ends of a connection inside this process. */
export function createLinkedPair(): readonly [McpTransport, McpTransport] {
  const [left, right] = [new LinkedTransport(), new LinkedTransport()];
  left.other = right;
  right.other = left;
  return [left, right];
}
