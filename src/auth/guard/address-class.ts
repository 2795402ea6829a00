import { BlockList, isIP } from "node:net";

/** Whom an address belongs to. `other` is never a place to sign in: link-local, metadata, multicast, reserved. */
export type AddressClass = "public" | "private" | "loopback" | "other";

const loopback = listOf(["127.0.0.0/8"], ["::1/128"]);
const ours = listOf(["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10"], ["fc00::/7"]);
const reserved = listOf(
  [
    "0.0.0.0/8",
    "169.254.0.0/16",
    "192.0.0.0/24",
    "192.0.2.0/24",
    "192.88.99.0/24",
    "198.18.0.0/15",
    "198.51.100.0/24",
    "203.0.113.0/24",
    "224.0.0.0/3",
  ],
  // Teredo, benchmarks, ORCHID, documentation and 6to4; what they wrap could be any of the above.
  ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"],
);
/** Outside of it no address of version 6 is public: mapped, translated and the rest. */
const global = listOf([], ["2000::/3"]);

export function addressClass(address: string): AddressClass {
  const version = isIP(address);
  if (version === 0) return "other";
  const family = version === 4 ? "ipv4" : "ipv6";
  if (loopback.check(address, family)) return isMapped(address) ? "other" : "loopback";
  if (ours.check(address, family)) return isMapped(address) ? "other" : "private";
  if (reserved.check(address, family)) return "other";
  return version === 4 || global.check(address, family) ? "public" : "other";
}

/** The class of a URL's host where it is an address, or a name that is an address by definition. */
export function literalClass(hostname: string): AddressClass | undefined {
  if (hostname === "localhost" || hostname.endsWith(".localhost")) return "loopback";
  const bare = hostname.replace(/^\[|\]$/g, "");
  return isIP(bare) === 0 ? undefined : addressClass(bare);
}

/** `::ffff:127.0.0.1` is how an address is dressed up, not how a server is reached. */
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
