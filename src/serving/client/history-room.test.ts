import { expect, test } from "vitest";
import { createManualClock } from "../../testing/index.ts";
import { EventHistory } from "./event-history.ts";
import { HistoryRoom } from "./history-room.ts";

test("all sessions together keep a limited number of events, and the oldest history is emptied first", () => {
  const room = new HistoryRoom(250);
  const sessions = Array.from({ length: 3 }, (_, at) => {
    const history = new EventHistory<number>(createManualClock(), room);
    const stream = history.open(at);
    for (const text of ["a", "b"]) history.add(stream, text.repeat(50));
    return { history, stream };
  });
  const isKept = () => sessions.map(({ history }) => history.after("1.0") !== undefined);
  expect(isKept()).toEqual([false, true, true]);
  const [first] = sessions;
  if (first !== undefined) {
    expect(first.history.add(first.stream, "c")).toBe("1.2");
    first.history.add(first.stream, "d");
    expect(first.history.after("1.2")?.events).toEqual([{ id: "1.3", text: "d" }]);
  }
  for (const { history } of sessions) history.clear();
  expect(isKept()).toEqual([false, false, false]);
});
