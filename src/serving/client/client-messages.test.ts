import { expect, test } from "vitest";
import { toClientMessage } from "./client-messages.ts";
import { parseAtOnce } from "./parse-message.ts";

const read = (text: string) => toClientMessage(parseAtOnce(text));
const request = (id: string): string => `{"jsonrpc":"2.0","id":${id},"method":"ping"}`;
const withToken = (token: string): string =>
  `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"progressToken":${token}}}}`;

test.each(["9007199254740991", "-9007199254740991", "0", '"9007199254740993"'])(
  "the id and progress token %s are accepted",
  (number) => {
    expect(read(request(number))).toMatchObject({ kind: "request", id: JSON.parse(number) });
    expect(read(withToken(number))).toMatchObject({ kind: "request", id: 1 });
  },
);

test.each(["9007199254740992", "9007199254740993", "-9007199254740993", "1e30", "1e400"])(
  "the id and progress token %s are refused, because JavaScript would round them",
  (number) => {
    const id = "The id must be at most 9007199254740991.";
    expect(() => read(request(number))).toThrow(expect.objectContaining({ code: -32600, message: id }));
    const token = "The progress token must be at most 9007199254740991.";
    const refusal = { id: 1, code: -32602, message: token };
    expect(() => read(withToken(number))).toThrow(expect.objectContaining(refusal));
  },
);
