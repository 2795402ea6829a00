import { expect, test } from "vitest";
import { createManualClock } from "../../testing/index.ts";
import { Answerer } from "./answer-server.ts";
import { RpcRefusal } from "./rpc-refusal.ts";

const NEVER = new AbortController().signal;
const FORM = { message: "Well?", requestedSchema: { type: "object", properties: {} } };

test("a server may have so many questions open, and another once one is answered", async () => {
  const waiting: (() => void)[] = [];
  const answerer = new Answerer({
    server: "files",
    handlers: {
      onElicitation: () =>
        new Promise((resolve) => {
          waiting.push(() => resolve({ action: "decline" }));
        }),
    },
    clock: createManualClock(),
    log: { log: () => {} },
    onUnanswered: () => {},
  });
  const ask = (): Promise<unknown> =>
    answerer.answer("elicitation/create", FORM, NEVER).catch((error: unknown) => {
      return error instanceof RpcRefusal ? error.code : error;
    });
  const open = Array.from({ length: 8 }, ask);
  expect(await ask()).toBe(-32000);
  waiting.shift()?.();
  expect(await open[0]).toEqual({ action: "decline" });
  const another = ask();
  for (const answer of waiting) answer();
  for (const answered of [...open, another]) expect(await answered).toEqual({ action: "decline" });
});

test("a flood of questions is refused, and announced no more often than it may ask", async () => {
  let announced = 0;
  const clock = createManualClock();
  const answerer = new Answerer({
    server: "files",
    handlers: {},
    clock,
    log: { log: () => {} },
    onUnanswered() {
      announced += 1;
    },
  });
  for (let time = 1; time <= 100; time += 1)
    await expect(answerer.answer("elicitation/create", FORM, NEVER)).rejects.toThrow();
  expect(announced).toBe(60);
  clock.advance(60_000);
  await expect(answerer.answer("elicitation/create", FORM, NEVER)).rejects.toMatchObject({ code: -32601 });
});
