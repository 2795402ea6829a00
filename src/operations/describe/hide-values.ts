import { isJsonObject, isSecretName, type JsonValue, maskArguments, maskUrl } from "../../model/index.ts";
import type { Environment } from "../../platform/index.ts";
import { isFolderVariable, type ResolvedLaunch, type ResolvedServer } from "../../values/index.ts";
import type { Workspace } from "../workspace.ts";

/** Registers a server's secret values, so that they are masked in all output from now on. */
export function hideValues({ redactor, environment }: Workspace, server: ResolvedServer): void {
  const { name, launch, oauth, hidden, plain } = server;
  const isKnownFolder = knownFolders(environment);
  const given = [
    ...secretsIn(launch, plain),
    ...hidden,
    ...(oauth === undefined ? [] : secretSettings("oauth", oauth)),
  ].filter((value) => !isKnownFolder(value));
  redactor.addAll(given);
  const texts = [...(launch.shown ?? [])].filter(([text]) => !isKnownFolder(text));
  redactor.addTexts(texts.flatMap(([text, shown]) => addressForms(text, shown)));
  redactor.addForServer(name, given);
}

/** Returns a test for well-known folders. They are not masked, because otherwise every path below them would be. */
function knownFolders({ home, cwd, platform, variables }: Environment): (value: string) => boolean {
  const named = new Set(
    Object.entries(variables).flatMap(([name, text = ""]) =>
      isFolderVariable(name, platform) ? [text] : [],
    ),
  );
  const isAbsolute = (value: string): boolean => /^(?:[\\/]|[A-Za-z]:)/.test(value);
  const isParent = (value: string, folder: string): boolean =>
    isAbsolute(value) && /^[\\/]/.test(folder.slice(value.replace(/[\\/]$/, "").length));
  return (value) =>
    named.has(value) ||
    [home, cwd].some(
      (folder) =>
        folder !== undefined && (folder === value || (folder.startsWith(value) && isParent(value, folder))),
    );
}

/** Returns the forms in which a URL can appear in output: as written, normalized, without its query, or only its path. */
function addressForms(text: string, shown: string): [string, string][] {
  if (!URL.canParse(text)) return [[text, shown]];
  const { href, origin, host, pathname, search } = new URL(text);
  const [, shownOrigin = shown, shownHost = shown, shownPath = "", shownSearch = ""] =
    /^([^:/?#]+:\/\/(?:[^/?#]*@)?([^/?#]*))([^?#]*)([^#]*)/.exec(shown) ?? [];
  const isInPath = !shown.endsWith(pathname) && shownPath !== pathname;
  return [
    [text, shown],
    [href, shown],
    ...(isInPath
      ? ([
          [`${origin}${pathname}`, `${shownOrigin}${shownPath}`],
          [`${pathname}${search}`, `${shownPath}${shownSearch}`],
          [pathname, shownPath],
        ] as [string, string][])
      : []),
    ...(shownHost === host
      ? []
      : ([
          [origin, shownOrigin],
          [host, shownHost],
        ] as [string, string][])),
  ];
}

function secretsIn(launch: ResolvedLaunch, plain: ReadonlySet<string>): string[] {
  if (launch.transport === "stdio") {
    const { args, env } = launch;
    const masked = maskArguments(args);
    const secret = args.filter((argument, index) => argument !== masked[index]);
    return [
      ...given(env, plain),
      ...secret.flatMap((argument) => [argument, /^[^=:\s]+(?:=|:\s*)(.+)$/s.exec(argument)?.[1] ?? ""]),
    ];
  }
  if (launch.transport === "in-process") return [];
  return [...given(launch.headers, plain).flatMap(headerSecrets), ...urlSecrets(launch.url)];
}

/** Returns secret `env` and header values. Values under six characters count only if their name suggests a secret. */
function given(values: ReadonlyMap<string, { reveal(): string }>, plain: ReadonlySet<string>): string[] {
  return [...values].flatMap(([name, secret]) => {
    const text = secret.reveal();
    return !plain.has(name) && (text.length >= 6 || isSecretName(name)) ? [text] : [];
  });
}

/** Returns a header value, its part after the scheme, and for `Basic` the decoded credentials and password. */
function headerSecrets(value: string): string[] {
  const [, scheme = "", rest = ""] = /^(\S+)\s+(\S.*)$/s.exec(value) ?? [];
  if (scheme.toLowerCase() !== "basic") return [value, rest];
  const plain = Buffer.from(rest, "base64").toString("utf8");
  return [value, rest, plain, plain.slice(plain.indexOf(":") + 1)];
}

function urlSecrets(url: string): string[] {
  if (!URL.canParse(url)) return [];
  const { password, searchParams } = new URL(url);
  const parameters = [...searchParams].flatMap(([name, value]) => (isSecretName(name) ? [value] : []));
  const whole = maskUrl(url) === url ? [] : [url];
  return [password, decoded(password), ...parameters, ...whole];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function secretSettings(name: string, value: JsonValue): string[] {
  if (typeof value === "string") return isSecretName(name) || name === "assertion" ? [value] : [];
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => secretSettings(key, item));
}
