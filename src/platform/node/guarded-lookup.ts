import { lookup as lookUp } from "node:dns";
import type { LookupFunction } from "node:net";
import type { HttpRequest } from "../index.ts";

type AllowAddress = NonNullable<HttpRequest["allowAddress"]>;
/** Node's way to look a name up. */
export type LookUp = typeof lookUp;

/** Names are looked up as always; one address that is not allowed spoils them all. */
export function guardedLookup(allowAddress: AllowAddress, look: LookUp = lookUp): LookupFunction {
  return (hostname, options, callback) => {
    look(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, []);
      const refused = addresses.find(({ address }) => !allowAddress(address));
      if (refused !== undefined) return callback(refusal(hostname, `stands for ${refused.address}`), []);
      const [first] = addresses;
      if (options.all === true) callback(null, addresses);
      else callback(null, first?.address ?? "", first?.family);
    });
  };
}

/**
 * The same before a proxy is sent there. It looks the name up once more and reaches further than we do, so a name that
 * nobody here knows is for the asker to allow.
 */
export function checkBeforeProxy(
  { url, allowAddress = () => true, signal }: HttpRequest,
  look?: LookUp,
): Promise<void> {
  const hostname = url.hostname.replace(/^\[|\]$/g, "");
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(new Error("it was stopped"));
    if (signal?.aborted) return stop();
    signal?.addEventListener("abort", stop);
    guardedLookup(allowAddress, look)(hostname, { all: true }, (error) => {
      signal?.removeEventListener("abort", stop);
      if (error === null) resolve();
      else if (error.code === REFUSED) reject(error);
      else if (allowAddress(undefined)) resolve();
      else reject(refusal(hostname, "is known to the proxy alone"));
    });
  });
}

const REFUSED = "EADDRREFUSED";

function refusal(hostname: string, why: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${hostname} ${why}, which may not be reached`), {
    code: REFUSED,
    sent: false,
    reused: false,
  });
}
