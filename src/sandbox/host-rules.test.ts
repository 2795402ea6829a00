import fc from "fast-check";
import { expect, test } from "vitest";
import { isHostRule, listsAddress, permitsHost, portsOf } from "./host-rules.ts";
import { proxyVariables } from "./network-bridge.ts";

test.each([
  [["api.example.com"], "api.example.com", 443, true],
  [["API.Example.com"], "api.example.com", 443, true],
  [["api.example.com"], "example.com", 443, false],
  [["api.example.com"], "api.example.com.evil.net", 443, false],
  [["api.example.com"], "xapi.example.com", 443, false],
  [["*.example.com"], "a.example.com", 443, true],
  [["*.example.com"], "a.b.example.com", 443, true],
  [["*.example.com"], "example.com", 443, false],
  [["*.example.com"], "badexample.com", 443, false],
  [["a.example:8443"], "a.example", 8443, true],
  [["a.example:8443"], "a.example", 443, false],
  [["[::1]:80"], "::1", 80, true],
  [["10.0.0.5"], "10.0.0.5", 22, true],
  [[], "a.example", 443, false],
] as const)("the list %j and the host %s:%i: %j", (hosts, host, port, expected) => {
  expect(permitsHost(hosts, host, port)).toBe(expected);
});

test("an address that is not public must be listed itself", () => {
  const at = { host: "api.example.com", port: 443, isLoopback: false };
  expect(listsAddress(["api.example.com"], "10.0.0.5", at)).toBe(false);
  expect(listsAddress(["api.example.com", "10.0.0.5"], "10.0.0.5", at)).toBe(true);
  expect(listsAddress(["localhost"], "127.0.0.1", { ...at, isLoopback: true })).toBe(false);
  expect(listsAddress(["localhost"], "127.0.0.1", { host: "localhost", port: 80, isLoopback: true })).toBe(
    true,
  );
  expect(listsAddress(["localhost"], "10.0.0.5", { host: "localhost", port: 80, isLoopback: false })).toBe(
    false,
  );
});

test("a valid rule without a wildcard or port permits its own name and no other", () => {
  fc.assert(
    fc.property(fc.domain(), fc.domain(), (name, other) => {
      expect(isHostRule(name)).toBe(true);
      expect(permitsHost([name], name.toLowerCase(), 443)).toBe(true);
      expect(permitsHost([name], other.toLowerCase(), 443)).toBe(other.toLowerCase() === name.toLowerCase());
    }),
  );
});

test("loopback inside the sandbox is reached without the proxy, unless it is listed", () => {
  expect(proxyVariables([], {}, 3128)["NO_PROXY"]).toBe("localhost,127.0.0.1,::1");
  expect(proxyVariables(["localhost:8080"], {}, 3128)["NO_PROXY"]).toBe("127.0.0.1,::1");
});

test.each([
  [["a.example", "*.b.example:8443", "localhost:5432", "[::1]:80"], false],
  [["a.example", "10.0.0.1:5432"], true],
  [["localhost"], true],
  [["[::1]"], true],
])(
  "programs get the proxy's address only if they cannot reach an address without it: %j",
  (hosts, isTold) => {
    expect("HTTPS_PROXY" in proxyVariables(hosts, {})).toBe(isTold);
  },
);

test.each<[string[], string, number[]]>([
  [["a.example"], "a.example", [80, 443, 8080, 8443]],
  [["a.example:22"], "a.example", [22]],
  [["*.a.example", "b.a.example:22"], "b.a.example", [80, 443, 8080, 8443, 22]],
  [["*.a.example:443"], "a.example", []],
  [["a.example"], "b.example", []],
])("the ports of the rules %j are returned to a program that resolves %s", (hosts, name, ports) => {
  expect(portsOf(hosts, name)).toEqual(ports);
});
