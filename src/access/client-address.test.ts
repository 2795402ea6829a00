import { expect, test } from "vitest";
import { createTrustedProxies, networkOf } from "./client-address.ts";

const { clientOf } = createTrustedProxies(["10.0.0.0/8", "::1", "192.168.1.7"]);

test.each([
  ["203.0.113.5", "1.1.1.1", "203.0.113.5"],
  ["203.0.113.5", undefined, "203.0.113.5"],
  ["10.0.0.1", "1.1.1.1", "1.1.1.1"],
  ["10.0.0.1", "8.8.8.8, 1.1.1.1", "1.1.1.1"],
  ["10.0.0.1", "8.8.8.8, 1.1.1.1, 10.2.3.4", "1.1.1.1"],
  ["10.0.0.1", "", "10.0.0.1"],
  ["10.0.0.1", "invented", "10.0.0.1"],
  ["10.0.0.1", "1.1.1.1, invented", "10.0.0.1"],
  ["::1", "2001:db8::1", "2001:db8::1"],
  ["192.168.1.8", "1.1.1.1", "192.168.1.8"],
])("a request from %s with X-Forwarded-For %s comes from %s", (address, forwarded, client) => {
  expect(clientOf(address, forwarded)).toBe(client);
});

test("without trusted proxies, the header is ignored", () => {
  expect(createTrustedProxies([]).clientOf("127.0.0.1", "1.1.1.1")).toBe("127.0.0.1");
});

test.each(["10.0.0.0/33", "ten", "10.0.0.0/-1", "::1/129", "10.0.0.0/8/8/x"])("%s is refused", (entry) => {
  expect(() => createTrustedProxies([entry])).toThrow("is not an address or network");
});

test.each([
  ["192.0.2.7", "192.0.2.7"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["2001:DB8:0:0:ffff::9", "2001:db8:0:0::/64"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["::1", "0:0:0:0::/64"],
  ["64:ff9b::192.0.2.1", "64:ff9b:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["unknown", "unknown"],
])("limits for %s apply to %s", (address, network) => {
  expect(networkOf(address)).toBe(network);
});
