import { BlockList, isIP } from "node:net";

/** The network of an address. `other` is never allowed: link-local, cloud metadata, multicast and reserved addresses. */
export type AddressClass = "public" | "private" | "loopback" | "other";

const loopback = listOf(["127.0.0.0/8"], ["::1/128"]);
const privateNetworks = listOf(
  ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10"],
  ["fc00::/7"],
);
const reserved = listOf(
  [
    "0.0.0.0/8",
    "168.63.129.16/32", // public, but of the virtual machine's host on Azure
    "169.254.0.0/16",
    "192.0.0.0/24",
    "192.0.2.0/24",
    "192.88.99.0/24",
    "198.18.0.0/15",
    "198.51.100.0/24",
    "203.0.113.0/24",
    "224.0.0.0/3",
  ],
  // Teredo, benchmarks, ORCHID, documentation and 6to4. They can embed any of the addresses above.
  ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"],
);
/** All public IPv6 addresses. Mapped, translated and other addresses are outside of this range. */
const global = listOf([], ["2000::/3"]);

export function addressClass(address: string): AddressClass {
  const version = isIP(address);
  if (version === 0) return "other";
  const family = version === 4 ? "ipv4" : "ipv6";
  if (loopback.check(address, family)) return isMapped(address) ? "other" : "loopback";
  if (privateNetworks.check(address, family)) return isMapped(address) ? "other" : "private";
  if (reserved.check(address, family)) return "other";
  return version === 4 || global.check(address, family) ? "public" : "other";
}

/** Returns the class of a host that is an IP address or a localhost name, otherwise `undefined`. */
export function literalClass(hostname: string): AddressClass | undefined {
  if (hostname === "localhost" || hostname.endsWith(".localhost")) return "loopback";
  const bare = hostname.replace(/^\[|\]$/g, "");
  return isIP(bare) === 0 ? undefined : addressClass(bare);
}

/** Mapped addresses such as `::ffff:127.0.0.1` are only used to disguise an address. */
function isMapped(address: string): boolean {
  return address.includes(":") && address !== "::1" && !/^f[cd]/i.test(address);
}

function listOf(four: readonly string[], six: readonly string[]): BlockList {
  const list = new BlockList();
  const add = (range: string, family: "ipv4" | "ipv6"): void => {
    const [network = "", prefix = ""] = range.split("/");
    list.addSubnet(network, Number(prefix), family);
  };
  for (const range of four) add(range, "ipv4");
  for (const range of six) add(range, "ipv6");
  return list;
}
