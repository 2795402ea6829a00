import { expect, test } from "vitest";
import { NameTable } from "./name-table.ts";

const list = (prefix: string, count: number): { name: string }[] =>
  Array.from({ length: count }, (_, index) => ({ name: `${prefix}${index}` }));

test("for a server whose names always change, the current and the last 2,000 former names are kept", () => {
  const table = new NameTable();
  for (let turn = 0; turn < 30; turn += 1) table.add("s", list(`turn${turn}_`, 1_000));
  const isKnown = (turn: number) => table.find(`s_turn${turn}_999`) !== undefined;
  expect(Array.from({ length: 30 }, (_, turn) => turn).filter(isKnown)).toEqual([27, 28, 29]);
});

test("a server whose names always change does not make the gateway forget another server's names", () => {
  const table = new NameTable();
  table.add("quiet", list("a", 10));
  for (let turn = 0; turn < 10; turn += 1) table.add("loud", list(`turn${turn}_`, 1_000));
  expect(table.find("quiet_a9")).toEqual({ server: "quiet", name: "a9" });
});

test("an item that was forgotten has the same name when it is listed again", () => {
  const table = new NameTable();
  const first = list("a", 10);
  table.add("s", first);
  const before = table.nameOf({ server: "s", name: "a0" });
  for (let turn = 0; turn < 10; turn += 1) table.add("s", list(`turn${turn}_`, 1_000));
  expect(table.find(before)).toBeUndefined();
  table.add("s", first); // taken before, and therefore not read again
  expect(table.nameOf({ server: "s", name: "a0" })).toBe(before);
  expect(table.find(before)).toEqual({ server: "s", name: "a0" });
});

test("4,000 items that differ only in unsupported characters have different names", () => {
  const table = new NameTable();
  const items = Array.from({ length: 4_000 }, (_, index) => ({
    name: String.fromCodePoint(0x4e00 + index),
  }));
  table.add("s", items);
  const names = items.map(({ name }) => table.nameOf({ server: "s", name }));
  expect(new Set(names).size).toBe(4_000);
  for (const [index, name] of names.entries())
    expect(table.find(name)).toEqual({ server: "s", ...items[index] });
});

test("the revision changes when a name changes, and not when the same list is added again", () => {
  const table = new NameTable();
  const tools = [{ name: "x_y" }];
  table.add("a", tools);
  const first = table.revision;
  table.add("a", tools);
  table.add("a", [{ name: "x_y" }]);
  expect(table.revision).toBe(first);
  table.add("a_x", [{ name: "y" }]); // both would be called a_x_y
  expect(table.revision).not.toBe(first);
});
