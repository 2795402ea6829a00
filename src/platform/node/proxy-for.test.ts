import { describe, expect, test } from "vitest";
import { proxyFor } from "./proxy-for.ts";

const PLAIN = "http://example.org/mcp";
const SECURE = "https://api.example.org:8443/mcp";

test.each([
  ["none", PLAIN, {}, undefined],
  ["of its scheme", PLAIN, { http_proxy: "http://p:1" }, "http://p:1"],
  ["of its scheme only", SECURE, { http_proxy: "http://p:1" }, undefined],
  ["of https", SECURE, { HTTPS_PROXY: "http://p:2" }, "http://p:2"],
  ["for all", SECURE, { ALL_PROXY: "http://p:3" }, "http://p:3"],
  [
    "of its scheme before that for all",
    PLAIN,
    { all_proxy: "http://p:3", HTTP_PROXY: "http://p:1" },
    "http://p:1",
  ],
  ["in lower case first", PLAIN, { http_proxy: "http://low:1", HTTP_PROXY: "http://up:1" }, "http://low:1"],
  ["switched off", PLAIN, { http_proxy: "", HTTP_PROXY: "http://up:1" }, undefined],
])("the proxy is the one %s", (_, url, variables, expected) => {
  expect(proxyFor(new URL(url), variables)).toBe(expected);
});

describe("NO_PROXY", () => {
  test.each([
    ["*", true],
    ["api.example.org", true],
    ["example.org", true],
    [".example.org", true],
    ["*.example.org", true],
    ["API.Example.ORG.", true],
    ["other.test, api.example.org", true],
    ["other.test api.example.org", true],
    ["example.org:8443", true],
    ["example.org:443", false],
    ["ample.org", false],
    ["example.org.evil.test", false],
    ["", false],
    [",", false],
  ])("%j keeps https://api.example.org:8443 from the proxy: %j", (no_proxy, direct) => {
    const variables = { https_proxy: "http://p:1", no_proxy };
    expect(proxyFor(new URL(SECURE), variables)).toBe(direct ? undefined : "http://p:1");
  });

  test.each([
    ["10.0.0.5", "10.0.0.5"],
    ["[2001:db8::1]", "2001:db8::1"],
    ["[2001:db8::1]", "[2001:db8::1]:80"],
  ])("an address %s is kept from it by %s", (host, no_proxy) => {
    expect(proxyFor(new URL(`http://${host}/`), { http_proxy: "http://p:1", no_proxy })).toBeUndefined();
  });
});

test.each(["localhost", "my.localhost", "127.0.0.1", "127.9.9.9", "[::1]"])(
  "%s is this machine and never asked of a proxy",
  (host) => {
    expect(proxyFor(new URL(`http://${host}:3000/`), { ALL_PROXY: "http://p:1" })).toBeUndefined();
  },
);
