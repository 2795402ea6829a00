import { expect, test } from "vitest";
import { capabilitiesIn, instructionsIn, serverIdentity } from "./era.ts";

const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`k${index}`, {}]));

test("capabilities are kept as they are", () => {
  const capabilities = { tools: { listChanged: true }, experimental: { a: {} } };
  expect(capabilitiesIn({ capabilities })).toBe(capabilities);
  expect(capabilitiesIn({ capabilities: [] })).toEqual({});
  expect(capabilitiesIn({})).toEqual({});
});

test("of very many capabilities the known ones are kept, without what is too large in them", () => {
  const capabilities = { ...many, tools: { listChanged: true }, prompts: many };
  expect(capabilitiesIn({ capabilities })).toEqual({ tools: { listChanged: true }, prompts: {} });
  expect(capabilitiesIn({ capabilities: { tools: {}, ["k".repeat(1_000_000)]: {} } })).toEqual({ tools: {} });
});

test("long instructions, names and versions are cut", () => {
  const long = "x".repeat(1_000_000);
  expect(instructionsIn({ instructions: long })).toHaveLength(64 * 1024);
  expect(instructionsIn({ instructions: 1 })).toBeUndefined();
  const { name, version } = serverIdentity({ name: long, version: long });
  expect([name?.length, version?.length]).toEqual([1_024, 1_024]);
});
