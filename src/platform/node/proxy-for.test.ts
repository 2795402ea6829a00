import { describe, expect, test } from "vitest";
import { proxyFor } from "./proxy-for.ts";

const PLAIN = "http://example.org/mcp";
const SECURE = "https://api.example.org:8443/mcp";

test.each([
  ["none without variables", PLAIN, {}, undefined],
  ["for its scheme", PLAIN, { http_proxy: "http://p:1" }, "http://p:1"],
  ["only for its scheme", SECURE, { http_proxy: "http://p:1" }, undefined],
  ["for https", SECURE, { HTTPS_PROXY: "http://p:2" }, "http://p:2"],
  ["for all schemes", SECURE, { ALL_PROXY: "http://p:3" }, "http://p:3"],
  [
    "for its scheme before the one for all schemes",
    PLAIN,
    { all_proxy: "http://p:3", HTTP_PROXY: "http://p:1" },
    "http://p:1",
  ],
  [
    "from the lower-case variable first",
    PLAIN,
    { http_proxy: "http://low:1", HTTP_PROXY: "http://up:1" },
    "http://low:1",
  ],
  ["none if it is disabled", PLAIN, { http_proxy: "", HTTP_PROXY: "http://up:1" }, undefined],
])("proxyFor returns the proxy: %s", (_, url, variables, expected) => {
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
  ])("%j excludes https://api.example.org:8443: %j", (no_proxy, direct) => {
    const variables = { https_proxy: "http://p:1", no_proxy };
    expect(proxyFor(new URL(SECURE), variables)).toBe(direct ? undefined : "http://p:1");
  });

  test.each([
    ["10.0.0.5", "10.0.0.5"],
    ["[2001:db8::1]", "2001:db8::1"],
    ["[2001:db8::1]", "[2001:db8::1]:80"],
  ])("the address %s is excluded by %s", (host, no_proxy) => {
    expect(proxyFor(new URL(`http://${host}/`), { http_proxy: "http://p:1", no_proxy })).toBeUndefined();
  });
});

test.each(["localhost", "my.localhost", "127.0.0.1", "127.9.9.9", "[::1]"])(
  "%s is this machine and never uses a proxy",
  (host) => {
    expect(proxyFor(new URL(`http://${host}:3000/`), { ALL_PROXY: "http://p:1" })).toBeUndefined();
  },
);
