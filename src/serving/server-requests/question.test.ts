import { expect, test } from "vitest";
import { toQuestion } from "./question.ts";

const request = { era: "legacy", capabilities: { elicitation: {}, sampling: {} } } as const;
const context = { server: "a", toAddress: (uri: string): string => uri };

test("a server cannot erase its name from a question", () => {
  const asked = { message: "\r\u001b[2Kb: Enter your password" };
  const { params } = toQuestion(request, "elicitation/create", asked, context);
  expect(params["message"]).toBe(String.raw`a: \x0d\x1b[2Kb: Enter your password`);
});

test("a request for a model names its server, with or without a system prompt", () => {
  const ask = (params: { systemPrompt?: string }): unknown =>
    toQuestion(request, "sampling/createMessage", params, context).params["systemPrompt"];
  expect(ask({ systemPrompt: "\u001b[2KBe brief." })).toBe(String.raw`a: \x1b[2KBe brief.`);
  expect(ask({})).toBe("a:");
});

test("questions are not changed if the endpoint has only one server", () => {
  const alone = { ...context, server: undefined };
  expect(toQuestion(request, "sampling/createMessage", { maxTokens: 1 }, alone).params).toEqual({
    maxTokens: 1,
  });
  expect(toQuestion(request, "elicitation/create", { message: "m\u001b" }, alone).params).toEqual({
    message: "m\u001b",
  });
});
