import type { HttpResponse } from "../../platform/index.ts";
import { type Message, messagesIn } from "../wire/message.ts";
import { WireError } from "../wire/wire-error.ts";
import { createEventStream } from "./event-stream.ts";

const LARGEST_EVENT = 16 * 1024 * 1024;

export interface ReadEventsOptions {
  /** The request whose answer ends the reading; without one, the stream is read to its end. */
  readonly answerTo?: Message[string] | undefined;
  receive(message: Message): void;
  onRetry(ms: number): void;
  /** The answer came; the stream has not ended yet. */
  onAnswer(): void;
  onEnd(): void;
}

/** How far a stream was read. */
export interface EventsRead {
  readonly answered: boolean;
  /** Where it can be taken up again. */
  readonly lastId: string | undefined;
  readonly count: number;
}

/** Reads an event stream until the answer is there or it ends, however it ends. */
export function readEvents(
  response: HttpResponse,
  { answerTo, receive, onRetry, onAnswer, onEnd }: ReadEventsOptions,
): Promise<EventsRead> {
  return new Promise((resolve, reject) => {
    let lastId: string | undefined;
    let count = 0;
    const stop = (error: WireError): void => {
      response.cancel();
      reject(error);
    };
    const push = createEventStream({
      limit: LARGEST_EVENT,
      onRetry,
      onTooLarge: () =>
        stop(new WireError({ kind: "tooLarge" }, "an event of the stream is larger than 16 MB")),
      onEvent({ event, data, id }) {
        count += 1;
        lastId = id ?? lastId;
        if (event === "endpoint")
          return stop(new WireError({ kind: "notMcp" }, "it speaks SSE as of 2024-11-05 here"));
        if (event !== "message" || data === "") return;
        let answered = false;
        for (const message of parseMessages(data)) {
          if (answerTo !== undefined && message["id"] === answerTo && message["method"] === undefined)
            answered = true;
          receive(message);
        }
        if (!answered) return;
        onAnswer();
        resolve({ answered, lastId, count });
      },
    });
    response.read(push, () => {
      onEnd();
      resolve({ answered: false, lastId, count });
    });
  });
}

/** The messages in a text; none when it is not JSON. */
export function parseMessages(text: string): Message[] {
  try {
    return messagesIn(JSON.parse(text)).messages;
  } catch {
    return [];
  }
}
