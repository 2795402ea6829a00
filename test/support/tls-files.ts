import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The path of a file in `test/fixtures/tls`. */
export function tlsFile(name: string): string {
  return fileURLToPath(new URL(`../fixtures/tls/${name}`, import.meta.url));
}

/** Key and certificate for a server of a test. */
export function tlsOf(certificate: string): { key: string; cert: string } {
  return {
    key: readFileSync(tlsFile("server.key"), "utf8"),
    cert: readFileSync(tlsFile(certificate), "utf8"),
  };
}
