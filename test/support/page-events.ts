import { get } from "node:http";
import type { PageClient } from "./page-client.ts";

/** A snapshot as a page receives it. */
export interface ReceivedSnapshot {
  readonly id: string;
  readonly number: number;
  readonly process: string;
  readonly revisions: Readonly<Record<string, number>>;
  readonly overview: { readonly servers: Readonly<Record<string, number>>; readonly clients: number };
}

/** An open event stream of a page. */
export interface PageEvents {
  readonly snapshots: ReceivedSnapshot[];
  /** Resolves when the server ended the stream. */
  readonly ended: Promise<void>;
  /** Loses the connection. */
  drop(): void;
}

/** Opens the event stream of a page, with the id of the last event if the page has one. */
export function openEvents(page: PageClient, last?: string): Promise<PageEvents> {
  const url = new URL(`${page.base}api/v1/events`, page.origin);
  const headers = { ...page.headers(false), ...(last !== undefined && { "last-event-id": last }) };
  const snapshots: ReceivedSnapshot[] = [];
  return new Promise((resolve, reject) => {
    const request = get(url, { headers }, (response) => {
      if (response.headers["content-type"] !== "text/event-stream")
        return reject(new Error(`status ${String(response.statusCode)}`));
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
        const events = text.split("\n\n");
        text = events.pop() ?? "";
        for (const event of events) {
          const [, id, data] = /^event: snapshot\nid: (\d+)\ndata: (.*)$/.exec(event) ?? [];
          if (id !== undefined && data !== undefined)
            snapshots.push({ ...(JSON.parse(data) as ReceivedSnapshot), id });
        }
      });
      const ended = new Promise<void>((done) => response.once("close", () => done()));
      response.on("error", () => {});
      resolve({ snapshots, ended, drop: () => void request.destroy() });
    });
    request.on("error", reject);
  });
}
