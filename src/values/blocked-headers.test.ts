import { expect, test } from "vitest";
import { blockReason } from "./blocked-headers.ts";

const FRAMING = "Plugboard sets it";
const ROUTING = "it could send your sign-in to another site";

test.each([
  "Connection",
  "content-length",
  "Transfer-Encoding",
  "te",
  "trailer",
  "upgrade",
  "keep-alive",
  "expect",
  "http2-settings",
  "proxy-authorization",
  ":path",
])("the header %s is never sent", (header) => {
  expect([blockReason(header, "user"), blockReason(header, "project")]).toEqual([FRAMING, FRAMING]);
});

test.each(["Host", "forwarded", "X-Forwarded-Host", "x-host", "x-original-url", "x-rewrite-url"])(
  "the header %s is sent, but not from a project's entry",
  (header) => {
    expect(["user", "managed", "project"].map((tier) => blockReason(header, tier as "user"))).toEqual([
      undefined,
      undefined,
      ROUTING,
    ]);
  },
);

test.each(["authorization", "x-api-key", "hosts", "my-connection", "x-hostname", "te2"])(
  "the header %s is sent",
  (header) => {
    expect([blockReason(header, "user"), blockReason(header, "project")]).toEqual([undefined, undefined]);
  },
);
