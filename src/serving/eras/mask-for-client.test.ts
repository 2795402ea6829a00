import { expect, test } from "vitest";
import { type JsonObject, Redactor } from "../../model/index.ts";
import { createMaskBudget, maskLog, maskNotification, maskQuestion } from "./mask-for-client.ts";

const redactor = new Redactor();
redactor.add("zebra-quartz-velvet-7");
const MB = 1024 * 1024;

/** Counts the characters that are masked. */
function counting(): { readonly redactor: Redactor; readonly masked: () => number } {
  let count = 0;
  const counted = new Redactor();
  counted.add("zebra-quartz-velvet-7");
  const redact = counted.redact.bind(counted);
  counted.redact = (text) => {
    count += text.length;
    return redact(text);
  };
  return { redactor: counted, masked: () => count };
}

test.each([
  ["a long message", { message: "x".repeat(10 * MB) }],
  ["a long status", { statusMessage: "x".repeat(10 * MB) }],
  ["a long logger", { logger: "x".repeat(10 * MB) }],
  ["a long member", { title: "x".repeat(10 * MB) }],
  [
    "many members",
    { a: Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [at, { text: "x".repeat(900) }])) },
  ],
  ["a long list", { a: Array.from({ length: 400_000 }, () => ({ text: "x" })) }],
])("masking %s of a notification costs little", (_, params: JsonObject) => {
  const { redactor: counted, masked } = counting();
  const shown = JSON.stringify(maskNotification(counted, { ...params, progress: 1, status: "working" }));
  expect(masked()).toBeLessThan(1.2 * MB);
  expect(shown.length).toBeLessThan(5_000);
  expect(JSON.parse(shown)).toMatchObject({ progress: 1, status: "working" });
});

test("a message that is too long for a notification is shortened, and a secret at its end is masked", () => {
  const message = `${"x".repeat(3_985)} zebra-quartz-velvet-7 ${"y".repeat(10_000)}`;
  const shown = String(maskNotification(redactor, { message })["message"]);
  expect(shown).toMatch(/^x{3985} \S{0,14}$/);
  expect(shown).not.toContain("zebra");
});

test("questions that are asked together are refused if they are too large together", () => {
  const question = { message: "m", requestedSchema: { description: "x".repeat(MB) } };
  const budget = createMaskBudget();
  expect(maskQuestion(redactor, question, budget)).toEqual(question);
  expect(() => maskQuestion(redactor, question, budget)).toThrow("The request is too large.");
  const many = { messages: Array.from({ length: 300_000 }, () => 1) };
  expect(() => maskQuestion(redactor, many, createMaskBudget())).toThrow("The request is too large.");
});

test("a log message keeps its level if its data is too large", () => {
  const shown = maskLog(redactor, { level: "error", logger: "l".repeat(MB), data: ["x".repeat(MB)] });
  expect(shown).toEqual({
    level: "error",
    logger: `${"l".repeat(255)}…`,
    data: "[data that is too large to show]",
  });
});
