import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { HttpResponse } from "./index.ts";
import { readBody, readBodyText } from "./read-body.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

function responseOf(
  chunks: Iterable<Uint8Array>,
  error?: Error,
): { response: HttpResponse; isCancelled: () => boolean } {
  let isCancelled = false;
  const response: HttpResponse = {
    status: 200,
    headers: { get: () => undefined },
    read(onData, onEnd) {
      for (const chunk of chunks) {
        if (isCancelled) return;
        void onData(chunk);
      }
      onEnd(error);
    },
    cancel: () => {
      isCancelled = true;
    },
  };
  return { response, isCancelled: () => isCancelled };
}

test("bytes are decoded to the same text however they are split", async () => {
  const piece = fc.oneof(
    fc.uint8Array({ maxLength: 8 }),
    fc.string({ unit: "grapheme" }).map(bytes),
    fc.integer({ min: 1, max: 100_000 }).map((length) => new Uint8Array(length).fill(0xe2)),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece), async (pieces) => {
      const whole = Buffer.concat(pieces);
      const { response } = responseOf(pieces);
      expect(await readBodyText(response, Number.POSITIVE_INFINITY)).toBe(new TextDecoder().decode(whole));
      const again = responseOf(pieces).response;
      expect(Buffer.from((await readBody(again, Number.POSITIVE_INFINITY)) ?? []).equals(whole)).toBe(true);
    }),
    { numRuns: 200 },
  );
});

test.each([
  ["one piece", ["\ufeff{}"]],
  ["two pieces", ["\ufeff", "{}"]],
])("a byte order mark in %s is removed", async (_, texts) => {
  expect(await readBodyText(responseOf(texts.map(bytes)).response, 100)).toBe("{}");
});

test.each([readBody, readBodyText])("a body beyond the limit is cancelled", async (read) => {
  const { response, isCancelled } = responseOf([bytes("12345"), bytes("678901")]);
  expect(await read(response, 10)).toBeUndefined();
  expect(isCancelled()).toBe(true);
});

test.each([readBody, readBodyText])("reading a body that is cut short fails", async (read) => {
  const { response } = responseOf([bytes("1")], new Error("cut"));
  await expect(read(response, 10)).rejects.toThrow("cut");
});

test("a body in pieces of one byte takes about as much memory as its text", async () => {
  const count = 2_000_000;
  function* pieces(): Generator<Uint8Array> {
    for (let index = 0; index < count; index += 1) yield Uint8Array.of(0x61);
  }
  const before = process.memoryUsage().heapUsed;
  const text = await readBodyText(responseOf(pieces()).response, count);
  expect(text).toHaveLength(count);
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(100_000_000);
});
