import { expect, test } from "vitest";
import { whyNotPublic } from "./check-public.ts";

type Config = Parameters<typeof whyNotPublic>[0];
const access = { publicUrl: "", tokens: true, oauth: [], groups: {}, administrators: [], auditors: [] };
const base: Config = {
  file: "gateway.jsonc",
  publicUrl: "https://gw.example.com",
  access,
  listen: { host: "0.0.0.0", port: 1, trustedProxies: [] },
};
const tls = { cert: "c", key: "k" };
const withListen = (listen: Partial<Config["listen"]>, more: Partial<Config> = {}): Config => ({
  ...base,
  ...more,
  listen: { ...base.listen, ...listen },
});

test.each<[string, Config, Partial<Parameters<typeof whyNotPublic>[1]>, string | undefined]>([
  ["an address of all networks", base, {}, "Add --public"],
  ["no TLS", base, { isPublic: true }, 'set "listen.tls" in gateway.jsonc, or add --behind-proxy'],
  [
    "a proxy without an address",
    base,
    { isPublic: true, isBehindProxy: true },
    'set "listen.trustedProxies"',
  ],
  [
    "a public URL without TLS",
    withListen({ tls }, { publicUrl: "http://gw" }),
    { isPublic: true },
    "must start with https://",
  ],
  [
    "no way to sign in",
    withListen({ tls }, { access: { ...access, tokens: false } }),
    { isPublic: true },
    "accepts neither tokens nor an identity provider",
  ],
  ["TLS", withListen({ tls }), { isPublic: true }, undefined],
  [
    "a proxy",
    withListen({ trustedProxies: ["10.0.0.0/8"] }),
    { isPublic: true, isBehindProxy: true },
    undefined,
  ],
  [
    "an address of this machine",
    withListen({ host: "127.0.0.1" }, { publicUrl: "http://127.0.0.1:1" }),
    {},
    undefined,
  ],
  ["::1", withListen({ host: "::1" }), {}, undefined],
  [
    "an address that only begins like loopback",
    withListen({ host: "127.0.0.1.example.com" }),
    {},
    "Add --public",
  ],
])("a gateway with %s", (_, config, flags, missing) => {
  const why = whyNotPublic(config, { isPublic: false, isBehindProxy: false, ...flags });
  if (missing === undefined) expect(why).toBeUndefined();
  else expect(why).toContain(missing);
});
