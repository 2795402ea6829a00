import fc from "fast-check";
import { expect, test } from "vitest";
import { createEventStream, type StreamEvent } from "./event-stream.ts";

function parse(text: string, sizes: readonly number[] = [], limit = 1000): (StreamEvent | string)[] {
  const seen: (StreamEvent | string)[] = [];
  const push = createEventStream({
    limit,
    onEvent: (event) => seen.push(event),
    onRetry: (ms) => seen.push(`retry ${ms}`),
    onTooLarge: () => seen.push("too large"),
  });
  const bytes = new TextEncoder().encode(text);
  let start = 0;
  for (const size of [...sizes, bytes.length]) {
    push(bytes.subarray(start, start + size));
    start += size;
  }
  return seen;
}

test.each<[string, string, (StreamEvent | string)[]]>([
  ["one event", "data: hi\n\n", [{ event: "message", data: "hi", id: undefined }]],
  ["its kind and id", "event: endpoint\nid: 7\ndata: /x\n\n", [{ event: "endpoint", data: "/x", id: "7" }]],
  ["several lines of data", "data: a\ndata: b\n\n", [{ event: "message", data: "a\nb", id: undefined }]],
  ["Windows line ends", "data: a\r\n\r\n", [{ event: "message", data: "a", id: undefined }]],
  [
    "a comment and an unknown field",
    ": ping\nfoo: bar\ndata: a\n\n",
    [{ event: "message", data: "a", id: undefined }],
  ],
  ["a value without a space", "data:a\n\n", [{ event: "message", data: "a", id: undefined }]],
  ["a retry time", "retry: 250\n\n", ["retry 250"]],
  ["a retry time that is none", "retry: soon\n\n", []],
  [
    "an id alone, from which a stream can be taken up again",
    "id: 3\ndata:\n\n",
    [{ event: "message", data: "", id: "3" }],
  ],
  ["a byte order mark", "\ufeffdata: a\n\n", [{ event: "message", data: "a", id: undefined }]],
  ["an event that never ends", "data: a\n", []],
  ["an event over the limit", `data: ${"x".repeat(2000)}\n\ndata: b\n\n`, ["too large"]],
])("a stream with %s is parsed", (_, text, events) => {
  expect(parse(text)).toEqual(events);
});

test("a stream is parsed the same way however it is split", () => {
  const line = fc.constantFrom("data: é✓", "data: x", "id: 1", "event: note", ": c", "", "retry: 5", "data");
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 12 }),
      fc.array(fc.integer({ min: 1, max: 7 }), { maxLength: 30 }),
      (lines, sizes) => {
        for (const end of ["\n", "\r\n", "\r"]) {
          const text = `${lines.join(end)}${end}${end}`;
          expect(parse(text, sizes)).toEqual(parse(`${lines.join("\n")}\n\n`));
        }
      },
    ),
  );
});

test.each([999, 1_000, 1_001, 2_500])("%d lines of data are joined in order", (count) => {
  const lines = Array.from({ length: count }, (_, index) => String(index));
  const text = `${lines.map((line) => `data: ${line}\n`).join("")}\ndata: next\n\n`;
  expect(parse(text, [], 100_000)).toEqual([
    { event: "message", data: lines.join("\n"), id: undefined },
    { event: "message", data: "next", id: undefined },
  ]);
});
