import { expect, test } from "vitest";
import { oversizedLineId } from "./oversized-line-id.ts";

test.each([
  ["first", '{"jsonrpc":"2.0","id":7,"result":{"content":[', "]}}", 7],
  ["first, with spaces", '{ "jsonrpc": "2.0", "id": 7, "result": {', "}}", 7],
  ["before the version", '{"id":7,"jsonrpc":"2.0","error":{', "}}", 7],
  ["a text", '{"jsonrpc":"2.0","id":"a-7","result":{', "}}", "a-7"],
  ["last", '{"jsonrpc":"2.0","result":{"content":[', '"x"]},"id":7}', 7],
  ["last, before the version", '{"result":{"content":[', ']},"id":7,"jsonrpc":"2.0"}', 7],
])("the ID of a dropped response is found: %s", (_, head, tail, id) => {
  expect(oversizedLineId(head, tail)).toBe(id);
});

test.each([
  ["a server's request", '{"jsonrpc":"2.0","id":7,"method":"sampling/createMessage","params":{', "}}"],
  ["a notification", '{"jsonrpc":"2.0","method":"notifications/message","params":{', '"id":7}}'],
  ["an id inside the result", '{"jsonrpc":"2.0","result":{"items":[', '{"id":7}]}}'],
  ["an id inside a text", '{"jsonrpc":"2.0","result":{"text":"', ',\\"id\\":7}"}}'],
  ["a batch", '[{"jsonrpc":"2.0","id":7,"result":{', "}}]"],
  ["no JSON at all", "<html>", '"id":7}'],
])("no ID is found for %s", (_, head, tail) => {
  expect(oversizedLineId(head, tail)).toBeUndefined();
});
