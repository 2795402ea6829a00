import { BlockList, isIP } from "node:net";
import { HostError } from "../model/index.ts";

/** The proxies in front of the gateway. Only what they add to `X-Forwarded-For` counts. */
export interface TrustedProxies {
  /** Returns the address of the client: the first one, from the right, that is not a trusted proxy. */
  clientOf(address: string | undefined, forwardedFor: string | undefined): string | undefined;
}

/** Reads a list of addresses and networks, such as `10.0.0.0/8`. Throws if one is invalid. */
export function createTrustedProxies(trusted: readonly string[]): TrustedProxies {
  const list = new BlockList();
  for (const entry of trusted) {
    const [, network = "", prefix] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(entry) ?? [];
    const version = isIP(network);
    const bits = prefix === undefined ? (version === 4 ? 32 : 128) : Number(prefix);
    if (version === 0 || bits > (version === 4 ? 32 : 128))
      throw new HostError("CONFIG_INVALID", `"${entry}" in trustedProxies is not an address or network.`);
    list.addSubnet(network, bits, version === 4 ? "ipv4" : "ipv6");
  }
  const isTrusted = (address: string): boolean => {
    const version = isIP(address);
    return version !== 0 && list.check(address, version === 4 ? "ipv4" : "ipv6");
  };
  if (trusted.length === 0) return { clientOf: (address) => address };
  return {
    clientOf(address, forwardedFor) {
      let client = address;
      const hops = (forwardedFor ?? "").split(",").map((hop) => hop.trim());
      while (client !== undefined && isTrusted(client)) {
        const before = hops.pop();
        if (before === undefined || isIP(before) === 0) break;
        client = before;
      }
      return client;
    },
  };
}

/**
 * Returns the part of an address that limits apply to: an IPv6 network of 64 bits, because one subscriber has all of its addresses. Other
 * addresses are returned unchanged.
 */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const [plain = ""] = address.split("%", 1);
  const [before = "", after] = plain.split("::");
  const head = before === "" ? [] : before.split(":");
  if (after === undefined) return `${head.slice(0, 4).map(normalPart).join(":")}::/64`;
  const tail = after === "" ? [] : after.split(":");
  // The last part can be an IPv4 address, which stands for two parts.
  const missing = 8 - head.length - tail.length - (plain.includes(".") ? 1 : 0);
  const parts = [...head, ...Array.from({ length: missing }, () => "0"), ...tail];
  return `${parts.slice(0, 4).map(normalPart).join(":")}::/64`;
}

function normalPart(part: string): string {
  return part.toLowerCase().replace(/^0+(?=.)/, "");
}
