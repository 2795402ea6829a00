import type { Secret } from "../model/index.ts";
import type { Environment } from "../platform/index.ts";

/** What every program may need to run; nothing that holds a secret. */
const HANDED_OVER = new Set(
  `HOME LOGNAME PATH SHELL TERM USER LANG LANGUAGE TZ TMPDIR TEMP TMP
   HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS REQUESTS_CA_BUNDLE CURL_CA_BUNDLE
   APPDATA LOCALAPPDATA PROGRAMDATA PROGRAMFILES PROGRAMFILES(X86) SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC PATHEXT
   USERNAME USERPROFILE HOMEDRIVE HOMEPATH PROCESSOR_ARCHITECTURE NUMBER_OF_PROCESSORS OS
   __CF_USER_TEXT_ENCODING`.split(/\s+/),
);

/** A server's environment: the few variables above, those it asks for, and those it declares. */
export function serverEnvironment(
  { variables }: Environment,
  inherit: boolean | readonly string[],
  declared: ReadonlyMap<string, Secret>,
): Record<string, string> {
  const wanted = new Set(Array.isArray(inherit) ? (inherit as readonly string[]) : []);
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(variables)) {
    if (value !== undefined && (inherit === true || wanted.has(name) || isHandedOver(name)))
      environment[name] = value;
  }
  for (const [name, value] of declared) environment[name] = value.reveal();
  return environment;
}

function isHandedOver(name: string): boolean {
  const upper = name.toUpperCase();
  return HANDED_OVER.has(upper) || upper.startsWith("LC_") || upper.startsWith("XDG_");
}
