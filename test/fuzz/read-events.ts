import type { StreamEvent } from "../../src/connection/http/event-stream.ts";

/** Returns the events of a whole text, read exactly as the HTML standard describes, without regard to speed. */
export function eventsOf(text: string): StreamEvent[] {
  const events: StreamEvent[] = [];
  let data: string[] = [];
  let event = "";
  let id: string | undefined;
  const ended = text.split(/\r\n|\n|\r/).slice(0, -1); // the last line has no end
  for (const raw of ended) {
    const line = raw.replace(/^\ufeff/, ""); // the standard ignores it on the first line, we ignore it on every line
    const [, name = "", , value = ""] = /^([^:]*)(: ?)?([^]*)$/.exec(line) ?? [];
    if (line === "") {
      if (data.length > 0 || event !== "")
        events.push({ event: event || "message", data: data.join("\n"), id });
      data = [];
      event = "";
    } else if (name === "data") data.push(value);
    else if (name === "event") event = value;
    else if (name === "id" && !value.includes("\0")) id = value;
  }
  return events;
}
