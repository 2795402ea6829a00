import { lookup as lookUp } from "node:dns";
import type { LookupFunction } from "node:net";
import type { HttpRequest } from "../index.ts";

type AllowAddress = NonNullable<HttpRequest["allowAddress"]>;
/** Node's function that resolves a host name. */
export type LookUp = typeof lookUp;

/** Returns a lookup function that fails if any address of the name is not allowed. */
export function guardedLookup(allowAddress: AllowAddress, lookUpName: LookUp = lookUp): LookupFunction {
  return (hostname, options, callback) => {
    lookUpName(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, []);
      const refused = addresses.find(({ address }) => !allowAddress(address));
      if (refused !== undefined) return callback(refusal(hostname, `resolves to ${refused.address}`), []);
      const [first] = addresses;
      if (options.all === true) callback(null, addresses);
      else callback(null, first?.address ?? "", first?.family);
    });
  };
}

/**
 * Checks the addresses of a name before a request goes through a proxy. The proxy resolves the name itself and may know
 * names that this machine cannot resolve. For such a name, `allowAddress(undefined)` decides.
 */
export function checkBeforeProxy(
  { url, allowAddress = () => true, signal }: HttpRequest,
  lookUpName?: LookUp,
): Promise<void> {
  const hostname = url.hostname.replace(/^\[|\]$/g, "");
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(new Error("the request was cancelled"));
    if (signal?.aborted) return stop();
    signal?.addEventListener("abort", stop);
    guardedLookup(allowAddress, lookUpName)(hostname, { all: true }, (error) => {
      signal?.removeEventListener("abort", stop);
      if (error === null) resolve();
      else if (error.code === REFUSED) reject(error);
      else if (allowAddress(undefined)) resolve();
      else reject(refusal(hostname, "can be resolved only by the proxy"));
    });
  });
}

const REFUSED = "EADDRREFUSED";

function refusal(hostname: string, why: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${hostname} ${why}, which is not allowed`), {
    code: REFUSED,
    sent: false,
    reused: false,
  });
}
