/** Whether this is an http or https address. No other scheme names a server that can be sent a request. */
export function isWebUrl({ protocol }: URL): boolean {
  return protocol === "http:" || protocol === "https:";
}

/** Whether both are http or https addresses of the same origin. `URL.origin` alone is not enough: `blob:http://a/b` has the origin `http://a`. */
export function isSameOrigin(one: URL, other: URL): boolean {
  return isWebUrl(one) && isWebUrl(other) && one.origin === other.origin;
}
