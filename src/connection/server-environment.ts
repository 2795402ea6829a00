import type { Redactor, Secret } from "../model/index.ts";
import { absoluteFolders, type Environment, isFolderList } from "../platform/index.ts";

/** Variables that every server inherits. Only the proxy variables may contain a secret. Case does not matter on Windows. */
const INHERITED_NAMES = new Set(
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
/** Proxy variables are valid in upper and lower case. Other names are case-sensitive. */
const ANY_CASE = /^(?:https?|no|all)_proxy$/i;

/** Returns a server's environment: the variables above, those in `inherit`, and those it declares. */
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
    // Windows treats two spellings of a name as one variable and would use either value.
    if (value === undefined || own.has(spelled(name))) continue;
    if (inherit !== true && !wanted.has(spelled(name)) && !isInheritedByDefault(name, isWindows)) continue;
    const kept = isFolderList(name, platform) ? absoluteFolders(value, platform) : value;
    if (kept !== "" || value === "") environment[name] = kept; // an empty PATH means the working folder
  }
  for (const [name, secret] of declared) {
    const value = secret.reveal();
    const kept = isFolderList(name, platform) && !isWindows ? knownFolders(value, home) : value;
    if (kept !== "" || value === "") environment[name] = kept;
  }
  return environment;
}

/**
 * Adds the credentials in proxy variables to the redactor, because servers inherit them: the password, or the user name if
 * there is no password.
 */
export function withProxySecrets(redactor: Redactor, { variables }: Environment): Redactor {
  for (const [name, value = ""] of Object.entries(variables)) {
    if (!ANY_CASE.test(name)) continue;
    const [, user = "", password] = /^(?:[a-z][\w+.-]*:\/\/)?([^:]*)(?::(.*))?@/is.exec(value.trim()) ?? [];
    const secret = password || user;
    if (secret === "") continue;
    redactor.add(secret);
    redactor.add(decoded(secret));
    redactor.addText(value, value.replace(secret, "[secret]")); // also masks secrets that are too short to be masked alone
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

/** Expands `~` and drops folders with unresolved placeholders, which would be relative to the working folder. */
function knownFolders(path: string, home: string | undefined): string {
  return path
    .split(":")
    .map((folder) => (home === undefined ? folder : folder.replace(/^~(?=\/|$)/, () => home)))
    .filter((folder) => !/^[~$]/.test(folder))
    .join(":");
}

function isInheritedByDefault(name: string, isWindows: boolean): boolean {
  const known = isWindows || ANY_CASE.test(name) ? name.toUpperCase() : name;
  return INHERITED_NAMES.has(known) || known.startsWith("LC_") || known.startsWith("XDG_");
}
