import { expect, test } from "vitest";
import { createManualClock } from "../../testing/index.ts";
import { EventHistory } from "./event-history.ts";

test("1.14 event ids are <stream>.<n>, and a replay stays within its stream", () => {
  const history = new EventHistory<string>(createManualClock());
  const [a, b] = [history.open("a"), history.open("b")];
  expect([history.add(a, "1"), history.add(b, "2"), history.add(a, "3")]).toEqual(["1.0", "2.0", "1.1"]);
  expect(history.after("1.0")).toEqual({ stream: a, events: [{ id: "1.1", text: "3" }] });
  expect(history.after("2.0")?.events).toEqual([]);
  for (const id of ["3.0", "1.2", "1", "1.x", "", "-1.0", "1.0.0"]) expect(history.after(id)).toBeUndefined();
});

test("1.14 a replay without all missed events is refused", () => {
  const clock = createManualClock();
  const history = new EventHistory<string>(clock);
  const stream = history.open("a");
  for (let count = 0; count < 300; count += 1) history.add(stream, "x");
  expect(history.after("1.10")).toBeUndefined();
  expect(history.after("1.100")?.events).toHaveLength(199);
  history.add(stream, "y".repeat(1024 * 1024));
  expect(history.after("1.299")?.events).toHaveLength(1);
  expect(history.after("1.298")).toBeUndefined();
  clock.advance(300_001);
  expect(history.after("1.299")).toBeUndefined();
  stream.isEnded = true;
  clock.advance(300_001);
  expect(history.after("1.300")).toBeUndefined();
});
