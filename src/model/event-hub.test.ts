import { expect, test } from "vitest";
import { createEventHub } from "./event-hub.ts";
import type { HostEvent } from "./host-event.ts";

const CHANGED: HostEvent = { type: "tools.changed", server: "a" };

function record(): { readonly heard: string[]; listener(name: string): () => void } {
  const heard: string[] = [];
  return { heard, listener: (name) => () => void heard.push(name) };
}

test("a listener that throws is reported and hurts no other", () => {
  const { heard, listener } = record();
  const errors: unknown[] = [];
  const hub = createEventHub((error) => errors.push(error));
  const failure = new Error("broken listener");
  hub.subscribe(listener("first"));
  hub.subscribe(() => {
    throw failure;
  });
  hub.subscribe(listener("last"));

  hub.publish(CHANGED);

  expect({ heard, errors }).toEqual({ heard: ["first", "last"], errors: [failure] });
});

test("a listener that answers a promise is reported when that rejects", async () => {
  const { heard, listener } = record();
  const errors: unknown[] = [];
  const hub = createEventHub((error) => errors.push(error));
  const failure = new Error("broken later");
  hub.subscribe((): unknown => Promise.reject(failure));
  hub.subscribe(listener("last"));

  hub.publish(CHANGED);
  await new Promise((resolve) => void setImmediate(resolve));

  expect({ heard, errors }).toEqual({ heard: ["last"], errors: [failure] });
});

test("a listener that left hears nothing more", () => {
  const { heard, listener } = record();
  const hub = createEventHub(() => {});
  const leave = hub.subscribe(listener("leaver"));
  hub.subscribe(listener("stayer"));
  hub.publish(CHANGED);
  leave();
  leave();
  hub.publish(CHANGED);
  expect(heard).toEqual(["leaver", "stayer", "stayer"]);
});

test("a listener that joins during an event hears the next one", () => {
  const { heard, listener } = record();
  const hub = createEventHub(() => {});
  const joinOnce = hub.subscribe(() => {
    joinOnce();
    hub.subscribe(listener("newcomer"));
  });
  hub.publish(CHANGED);
  const duringTheFirst = [...heard];
  hub.publish(CHANGED);
  expect({ duringTheFirst, heard }).toEqual({ duringTheFirst: [], heard: ["newcomer"] });
});
