/** Returns whether an address belongs to this machine's loopback interface, which other machines cannot reach. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(?:\.\d{1,3}){3}$/.test(host);
}
