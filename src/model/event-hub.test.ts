import { expect, test } from "vitest";
import { createEventHub } from "./event-hub.ts";
import type { HostEvent } from "./host-event.ts";

const CHANGED: HostEvent = { type: "tools.changed", server: "a" };

function record(): { readonly calls: string[]; listener(name: string): () => void } {
  const calls: string[] = [];
  return { calls, listener: (name) => () => void calls.push(name) };
}

test("an error thrown by a listener is reported, and the other listeners are called", () => {
  const { calls, listener } = record();
  const errors: unknown[] = [];
  const hub = createEventHub((error) => errors.push(error));
  const failure = new Error("broken listener");
  hub.subscribe(listener("first"));
  hub.subscribe(() => {
    throw failure;
  });
  hub.subscribe(listener("last"));

  hub.publish(CHANGED);

  expect({ calls, errors }).toEqual({ calls: ["first", "last"], errors: [failure] });
});

test("a rejected promise of a listener is reported", async () => {
  const { calls, listener } = record();
  const errors: unknown[] = [];
  const hub = createEventHub((error) => errors.push(error));
  const failure = new Error("broken later");
  hub.subscribe((): unknown => Promise.reject(failure));
  hub.subscribe(listener("last"));

  hub.publish(CHANGED);
  await new Promise((resolve) => void setImmediate(resolve));

  expect({ calls, errors }).toEqual({ calls: ["last"], errors: [failure] });
});

test("an unsubscribed listener is not called", () => {
  const { calls, listener } = record();
  const hub = createEventHub(() => {});
  const unsubscribe = hub.subscribe(listener("removed"));
  hub.subscribe(listener("kept"));
  hub.publish(CHANGED);
  unsubscribe();
  unsubscribe();
  hub.publish(CHANGED);
  expect(calls).toEqual(["removed", "kept", "kept"]);
});

test("a listener added during an event gets the next event", () => {
  const { calls, listener } = record();
  const hub = createEventHub(() => {});
  const unsubscribe = hub.subscribe(() => {
    unsubscribe();
    hub.subscribe(listener("added"));
  });
  hub.publish(CHANGED);
  const afterFirstEvent = [...calls];
  hub.publish(CHANGED);
  expect({ afterFirstEvent, calls }).toEqual({ afterFirstEvent: [], calls: ["added"] });
});
