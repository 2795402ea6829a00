import type { Redactor, Secret } from "../model/index.ts";
import { absoluteFolders, type Environment, isFolderList } from "../platform/index.ts";

/** What every program may need to run; of these only the proxies may hold a secret. Windows writes some of them in other cases. */
const HANDED_OVER = new Set(
  `HOME LOGNAME PATH SHELL TERM USER LANG LANGUAGE TZ TMPDIR TEMP TMP
   HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY
   SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS REQUESTS_CA_BUNDLE CURL_CA_BUNDLE
   APPDATA LOCALAPPDATA PROGRAMDATA ALLUSERSPROFILE PUBLIC
   PROGRAMFILES PROGRAMFILES(X86) PROGRAMW6432 COMMONPROGRAMFILES COMMONPROGRAMFILES(X86) COMMONPROGRAMW6432
   SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC PATHEXT PSMODULEPATH
   USERNAME USERDOMAIN USERPROFILE HOMEDRIVE HOMEPATH COMPUTERNAME
   PROCESSOR_ARCHITECTURE PROCESSOR_ARCHITEW6432 NUMBER_OF_PROCESSORS OS
   __CF_USER_TEXT_ENCODING COMMAND_MODE`.split(/\s+/),
);
/** Proxy variables are read in both spellings; the others mean something only as they are written. */
const ANY_CASE = /^(?:https?|no|all)_proxy$/i;

/** A server's environment: the few variables above, those it asks for, and those it declares. */
export function serverEnvironment(
  { variables, platform, home }: Environment,
  inherit: boolean | readonly string[],
  declared: ReadonlyMap<string, Secret>,
): Record<string, string> {
  const isWindows = platform === "win32";
  const spelled = (name: string): string => (isWindows ? name.toUpperCase() : name);
  const wanted = new Set(typeof inherit === "boolean" ? [] : inherit.map(spelled));
  const own = new Set([...declared.keys()].map(spelled));
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(variables)) {
    // Two spellings of one name would be two values, and Windows would take either.
    if (value === undefined || own.has(spelled(name))) continue;
    if (inherit !== true && !wanted.has(spelled(name)) && !isHandedOver(name, isWindows)) continue;
    const kept = isFolderList(name, platform) ? absoluteFolders(value, platform) : value;
    if (kept !== "" || value === "") environment[name] = kept; // an empty PATH is the working folder
  }
  for (const [name, secret] of declared) {
    const value = secret.reveal();
    const kept = isFolderList(name, platform) && !isWindows ? knownFolders(value, home) : value;
    if (kept !== "" || value === "") environment[name] = kept;
  }
  return environment;
}

/**
 * Servers need the proxy to reach anything, so they are given its credentials too. Whatever they print of them is masked: the
 * password, or the user name where that is all there is.
 */
export function withProxySecrets(redactor: Redactor, { variables }: Environment): Redactor {
  for (const [name, value = ""] of Object.entries(variables)) {
    if (!ANY_CASE.test(name)) continue;
    const [, user = "", password] = /^(?:[a-z][\w+.-]*:\/\/)?([^:]*)(?::(.*))?@/is.exec(value.trim()) ?? [];
    const secret = password || user;
    if (secret === "") continue;
    redactor.add(secret);
    redactor.add(decoded(secret));
    redactor.addText(value, value.replace(secret, "[secret]")); // also if it is too short to be masked by itself
  }
  return redactor;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A declared folder that begins with `~` or a variable that nothing filled in would be a folder of the working folder. */
function knownFolders(path: string, home: string | undefined): string {
  return path
    .split(":")
    .map((folder) => (home === undefined ? folder : folder.replace(/^~(?=\/|$)/, () => home)))
    .filter((folder) => !/^[~$]/.test(folder))
    .join(":");
}

function isHandedOver(name: string, isWindows: boolean): boolean {
  const known = isWindows || ANY_CASE.test(name) ? name.toUpperCase() : name;
  return HANDED_OVER.has(known) || known.startsWith("LC_") || known.startsWith("XDG_");
}
