import type { HttpResponse } from "../../platform/index.ts";
import { Inbox } from "../wire/inbox.ts";
import { isAnswerTo, isUnaddressedError, type Message, type MessageId, messagesIn } from "../wire/message.ts";
import { WireError } from "../wire/wire-error.ts";
import { createEventStream } from "./event-stream.ts";

const LARGEST_EVENT = 16 * 1024 * 1024;

export interface ReadEventsOptions {
  /** The request whose response ends the reading. Without one, the stream is read to its end. */
  readonly answerTo?: MessageId | undefined;
  receive(message: Message): void;
  onRetry(ms: number): void;
  /** Called when the response has arrived but the stream has not ended. */
  onAnswer(): void;
  onEnd(): void;
}

/** How far a stream was read. */
export interface EventsRead {
  readonly answered: boolean;
  /** The event ID to resume after. */
  readonly lastId: string | undefined;
  readonly count: number;
}

/** Reads an event stream until the response arrives or the stream ends or fails. */
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

/** Assigns an error without an ID to the request whose response contains it. */
export function addressed(message: Message, id: MessageId | undefined): Message {
  return id !== undefined && isUnaddressedError(message) ? { ...message, id } : message;
}

export function tooComplex(): WireError {
  return new WireError({ kind: "tooLarge" }, "the response contains more than a million values");
}

/** Returns the messages in a text, or an empty list if it is not JSON. */
export function parseMessages(text: string): readonly Message[] {
  try {
    return messagesIn(JSON.parse(text)).messages;
  } catch {
    return [];
  }
}
