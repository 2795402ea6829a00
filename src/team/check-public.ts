import type { TeamConfig } from "./team-config.ts";

const LOOPBACK = /^(?:localhost|::1|127(?:\.\d{1,3}){3})$/;

/** Returns whether other machines can reach an address. */
export function isPublicHost(host: string): boolean {
  return !LOOPBACK.test(host);
}

/** Returns why other machines may not reach a gateway, or `undefined` if they may. */
export function whyNotPublic(
  { listen, access, publicUrl, file }: Pick<TeamConfig, "listen" | "access" | "publicUrl" | "file">,
  { isPublic, isBehindProxy }: { readonly isPublic: boolean; readonly isBehindProxy: boolean },
): string | undefined {
  if (!access.tokens && access.oauth.length === 0)
    return `"access" in ${file} accepts neither tokens nor an identity provider, so no person could use the gateway.`;
  if (isBehindProxy && listen.trustedProxies.length === 0)
    return `--behind-proxy needs the addresses of the proxies: set "listen.trustedProxies" in ${file}.`;
  if (!isPublicHost(listen.host)) return undefined;
  if (!isPublic)
    return `Other machines can reach ${listen.host}, where the gateway would listen. Add --public to allow that.`;
  if (listen.tls === undefined && !isBehindProxy)
    return `Tokens would cross the network unencrypted: set "listen.tls" in ${file}, or add --behind-proxy if a proxy provides TLS.`;
  if (!publicUrl.startsWith("https://"))
    return `"publicUrl" in ${file} must start with https://, because other machines use the gateway.`;
  return undefined;
}
