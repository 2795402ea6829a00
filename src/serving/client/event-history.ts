import { type Clock, elapsed } from "../../platform/index.ts";
import { HistoryRoom, type SharedHistory } from "./history-room.ts";

const MOST_EVENTS = 256;
const MOST_CHARACTERS = 1024 * 1024;
const KEPT_MS = 300_000;
/** Streams that can be resumed. The oldest is forgotten first. */
const MOST_STREAMS = 256;

/** A stream of a session, which a client can continue over a new connection. */
export interface EventStream<T> {
  readonly id: number;
  readonly owner: T;
  /** How many events it has sent. */
  count: number;
  /** Whether no more events follow. */
  isEnded: boolean;
}

interface Kept {
  readonly stream: number;
  readonly number: number;
  readonly text: string;
  readonly at: number;
}

/** The last events of a session's streams. A client that lost its connection gets the ones that it missed. */
export class EventHistory<T> implements SharedHistory {
  readonly #clock: Clock;
  readonly #room: Pick<HistoryRoom, "set">;
  readonly #streams = new Map<number, EventStream<T>>();
  #events: Kept[] = [];
  #characters = 0;
  #last = 0;
  #stopTimer: (() => void) | undefined;

  constructor(clock: Clock, room: Pick<HistoryRoom, "set"> = new HistoryRoom()) {
    this.#clock = clock;
    this.#room = room;
  }

  /** Begins a stream. */
  open(owner: T): EventStream<T> {
    this.#last += 1;
    const stream = { id: this.#last, owner, count: 0, isEnded: false };
    this.#streams.set(stream.id, stream);
    const [oldest] = this.#streams.keys();
    if (this.#streams.size > MOST_STREAMS && oldest !== undefined) this.#streams.delete(oldest);
    return stream;
  }

  /** Keeps an event and returns its id. */
  add(stream: EventStream<T>, text: string): string {
    const number = stream.count;
    stream.count += 1;
    this.#events.push({ stream: stream.id, number, text, at: elapsed(this.#clock) });
    this.#characters += text.length;
    this.#removeOld();
    return `${stream.id}.${number}`;
  }

  /** Forgets everything. */
  clear(): void {
    this.#stopTimer?.();
    this.#streams.clear();
    this.forget();
  }

  /** Forgets the events. Streams continue with the next ones. */
  forget(): void {
    this.#events = [];
    this.#characters = 0;
    this.#room.set(this, 0);
  }

  /** Returns the stream of an event and what was sent on it after that event; `undefined` if a part of that is not kept. */
  after(
    eventId: string,
  ):
    | { readonly stream: EventStream<T>; readonly events: readonly { id: string; text: string }[] }
    | undefined {
    this.#removeOld();
    const [, id, seen] = /^(\d{1,15})\.(\d{1,15})$/.exec(eventId) ?? [];
    const stream = this.#streams.get(Number(id));
    if (stream === undefined || Number(seen) >= stream.count) return undefined;
    const events = this.#events.filter((event) => event.stream === stream.id && event.number > Number(seen));
    if (events.length !== stream.count - 1 - Number(seen)) return undefined;
    return { stream, events: events.map(({ number, text }) => ({ id: `${stream.id}.${number}`, text })) };
  }

  #removeOld(): void {
    const oldest = elapsed(this.#clock) - KEPT_MS;
    const first = this.#events.findIndex(({ at }) => at >= oldest);
    let gone = Math.max(first === -1 ? this.#events.length : first, this.#events.length - MOST_EVENTS);
    for (const { text } of this.#events.slice(0, gone)) this.#characters -= text.length;
    while (this.#characters > MOST_CHARACTERS && gone < this.#events.length) {
      this.#characters -= this.#events[gone]?.text.length ?? 0;
      gone += 1;
    }
    if (gone > 0) this.#events = this.#events.slice(gone);
    this.#room.set(this, this.#characters);
    const kept = new Set(this.#events.map(({ stream }) => stream));
    for (const [id, { isEnded }] of this.#streams) if (isEnded && !kept.has(id)) this.#streams.delete(id);
    if (this.#events.length > 0) this.#startTimer();
  }

  /** A session without requests must not keep old events. */
  #startTimer(): void {
    this.#stopTimer ??= this.#clock.after(
      KEPT_MS,
      () => {
        this.#stopTimer = undefined;
        this.#removeOld();
      },
      { background: true },
    );
  }
}
