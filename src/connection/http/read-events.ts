import type { HttpResponse } from "../../platform/index.ts";
import { Inbox } from "../wire/inbox.ts";
import { isAnswerTo, isUnaddressedError, type Message, type MessageId, messagesIn } from "../wire/message.ts";
import { WireError } from "../wire/wire-error.ts";
import { createEventStream } from "./event-stream.ts";

const LARGEST_EVENT = 16 * 1024 * 1024;

export interface ReadEventsOptions {
  /** The request whose answer ends the reading; without one, the stream is read to its end. */
  readonly answerTo?: MessageId | undefined;
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
    let answered = false;
    const inbox = new Inbox({
      receive(message) {
        const own = addressed(message, answerTo);
        receive(own);
        if (answered || answerTo === undefined || !isAnswerTo(answerTo, own)) return;
        answered = true;
        onAnswer();
        resolve({ answered, lastId, count });
      },
      onTooComplex: () => stop(tooComplex()),
    });
    const push = createEventStream({
      limit: LARGEST_EVENT,
      onRetry,
      onTooLarge: () =>
        stop(new WireError({ kind: "tooLarge" }, "an event of the stream is larger than 16 MB")),
      onEvent({ event, data, id }) {
        count += 1;
        lastId = id ?? lastId;
        if (event === "endpoint")
          return stop(new WireError({ kind: "notMcp" }, "it uses the legacy SSE transport (2024-11-05)"));
        if (event === "message" && data !== "") inbox.accept(data);
      },
    });
    const read = (chunk: Uint8Array): Promise<void> | undefined => {
      push(chunk);
      return inbox.busy;
    };
    response.read(read, () => {
      const end = (): void => {
        onEnd();
        resolve({ answered, lastId, count });
      };
      if (inbox.busy === undefined) end();
      else void inbox.busy.then(end);
    });
  });
}

/** An error without an id, in the answer to one request, is about that request. */
export function addressed(message: Message, id: MessageId | undefined): Message {
  return id !== undefined && isUnaddressedError(message) ? { ...message, id } : message;
}

export function tooComplex(): WireError {
  return new WireError({ kind: "tooLarge" }, "the response contains more than a million values");
}

/** The messages in a text; none when it is not JSON. */
export function parseMessages(text: string): readonly Message[] {
  try {
    return messagesIn(JSON.parse(text)).messages;
  } catch {
    return [];
  }
}
