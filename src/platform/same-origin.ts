/** Returns whether this is an http or https URL. Requests can be sent to no other scheme. */
export function isWebUrl({ protocol }: URL): boolean {
  return protocol === "http:" || protocol === "https:";
}

/**
 * Returns whether both are http or https URLs of the same origin. `URL.origin` alone is not enough: `blob:http://a/b`
 * has the origin `http://a`.
 */
export function isSameOrigin(one: URL, other: URL): boolean {
  return isWebUrl(one) && isWebUrl(other) && one.origin === other.origin;
}
