import fc from "fast-check";
import { expect, test } from "vitest";
import { findDenials, isNetworkError } from "./find-denials.ts";

test.each<[string, string, string]>([
  ["Error: ENOENT: no such file or directory, open '/srv/notes/a b.md'", "read", "/srv/notes/a b.md"],
  ["EROFS: read-only file system, mkdir '/srv/out'", "write", "/srv/out"],
  ["PermissionError: [Errno 13] Permission denied: '/srv/x'", "read", "/srv/x"],
  ["OSError: [Errno 30] Read-only file system: '/srv/x'", "write", "/srv/x"],
  ["cat: /srv/x: No such file or directory", "read", "/srv/x"],
  ["touch: cannot touch '/srv/x': Read-only file system", "write", "/srv/x"],
  ["/bin/sh: 1: cannot create /srv/x: Directory nonexistent", "write", "/srv/x"],
  ["open /srv/x: no such file or directory", "read", "/srv/x"],
  ["File not found: ~/notes/a.md", "read", "~/notes/a.md"],
  ["getaddrinfo ENOTFOUND api.example.com", "host", "api.example.com"],
  ["Error: getaddrinfo EAI_AGAIN API.Example.com", "host", "api.example.com"],
  ["curl: (6) Could not resolve host: api.example.com", "host", "api.example.com"],
  ["dial tcp: lookup api.example.com on 127.0.0.1:53: read udp", "host", "api.example.com"],
  ["HTTPSConnectionPool(host='api.example.com', port=443): Max retries", "host", "api.example.com:443"],
  ["Failed to resolve 'api.example.com' ([Errno -3] Temporary failure)", "host", "api.example.com"],
  ["connect ECONNREFUSED 127.0.0.1:5432", "host", "127.0.0.1:5432"],
  ["connect ECONNREFUSED ::1:5432", "host", "[::1]:5432"],
  ["dial tcp 10.0.0.7:6379: connect: network is unreachable", "host", "10.0.0.7:6379"],
  ["error sending request for url (https://api.example.com:8443/v1)", "host", "api.example.com:8443"],
  ["fetch failed for wss://u:p@api.example.com/x", "host", "api.example.com"],
])("%j names the path or host that could not be used", (text, kind, target) => {
  expect(findDenials(text)).toContainEqual({ kind, target });
});

test.each([
  "read /srv/x and https://api.example.com",
  "the lookup failed",
  "getaddrinfo ENOTFOUND localhost.",
  "fetch failed",
])("%j names nothing else", (text) => {
  expect(findDenials(text).filter(({ target }) => target !== "localhost")).toEqual([]);
});

test.each([
  ["TypeError: fetch failed", true],
  ["connect ENETUNREACH", true],
  ["all is well", false],
])("a network error without a host is recognized: %s", (text, expected) => {
  expect(isNetworkError(text)).toBe(expected);
});

test("any text is searched without an exception, and has few results", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 500 }), (text) => {
      expect(findDenials(text).length).toBeLessThan(21);
    }),
  );
  const paths = Array.from({ length: 500 }, (_, at) => `ENOENT '/srv/${at}'`).join("\n");
  expect(findDenials(paths)).toHaveLength(20);
});
