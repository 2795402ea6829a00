import { isList, type JsonObject, type JsonValue } from "../model/index.ts";
import { IGNORED, type ReportProblem } from "./model-settings.ts";

/** Settings for packages that package runners install. */
export interface PackageSettings {
  /** How many days ago a version must have been published before it is installed. 0 disables the check. */
  readonly minimumReleaseDays: number;
  /** Packages that are installed although they are new or have a suspicious name: `name` or `name@version`. */
  readonly allowPackages: readonly string[];
  /** npm packages whose install scripts run. Those of all other packages do not. */
  readonly installScripts: readonly string[];
  /** Where `advisories update` gets advisories: an https URL, or a URL on this machine. */
  readonly advisories: string | undefined;
}

export const DEFAULT_PACKAGE_SETTINGS: PackageSettings = {
  minimumReleaseDays: 3,
  allowPackages: [],
  installScripts: [],
  advisories: undefined,
};

const MOST_ITEMS = 1_000;
const LONGEST_AGE = 3_650;

/** Reads the package settings. Reports invalid ones; they get their default, which never allows more. */
export function readPackageSettings(value: JsonObject, report: ReportProblem): Partial<PackageSettings> {
  const settings: { -readonly [Key in keyof PackageSettings]?: PackageSettings[Key] } = {};
  const { minimumReleaseDays: days, advisories } = value;
  if (typeof days === "number" && days >= 0 && days <= LONGEST_AGE) settings.minimumReleaseDays = days;
  else if (days !== undefined)
    report(
      ["minimumReleaseDays"],
      `"minimumReleaseDays" must be a number from 0 to ${LONGEST_AGE}`,
      `using ${DEFAULT_PACKAGE_SETTINGS.minimumReleaseDays}`,
    );
  for (const key of ["allowPackages", "installScripts"] as const) {
    const list = value[key];
    if (isList(list) && list.length <= MOST_ITEMS && list.every(isPackage)) settings[key] = list as string[];
    else if (list !== undefined)
      report([key], `"${key}" must be a list of packages such as "server" or "@scope/server"`, IGNORED);
  }
  if (typeof advisories === "string" && isSafeUrl(advisories)) settings.advisories = advisories;
  else if (advisories !== undefined) report(["advisories"], '"advisories" must be an https URL', IGNORED);
  return settings;
}

function isPackage(item: JsonValue): boolean {
  return (
    typeof item === "string" && item.length <= 300 && /^(?:@[^/@\s]+\/)?[^/@\s]+(?:@[^/@\s]+)?$/.test(item)
  );
}

/** Only https, and http on this machine, because the answer decides what may run. */
export function isSafeUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  const isLocal = /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(hostname);
  return (protocol === "https:" || (protocol === "http:" && isLocal)) && username + password === "";
}
