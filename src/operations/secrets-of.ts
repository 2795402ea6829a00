import {
  type ExpansionRules,
  isJsonObject,
  isSecretName,
  type JsonValue,
  type Launch,
  maskArguments,
  maskUrl,
} from "../model/index.ts";
import type { Environment } from "../platform/index.ts";
import { launchTexts, placeholdersIn, type ResolvedLaunch, type ResolvedServer } from "../values/index.ts";

/** Every text of a server that must not be seen, in the shapes in which it could come back. */
export function secretsOf(
  { launch, oauth }: ResolvedServer,
  declared: Launch,
  rules: ExpansionRules,
  environment: Environment,
): string[] {
  return [
    ...secretsIn(launch),
    ...secretVariables(declared, rules, environment),
    ...(oauth === undefined ? [] : secretSettings("oauth", oauth)),
  ];
}

function secretsIn(launch: ResolvedLaunch): string[] {
  if (launch.transport === "stdio") {
    const { args, env } = launch;
    const masked = maskArguments(args);
    const hidden = args.filter((argument, index) => argument !== masked[index]);
    return [
      ...[...env.values()].map((secret) => secret.reveal()),
      ...hidden.flatMap((argument) => [argument, /^[^=:\s]+(?:=|:\s*)(.+)$/s.exec(argument)?.[1] ?? ""]),
    ];
  }
  const headers = [...launch.headers.values()].map((secret) => secret.reveal());
  return [...headers.flatMap(headerSecrets), ...urlSecrets(launch.url)];
}

/** Without its scheme, and as what a `Basic` one says, a value is no less secret. */
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
  return [password, decoded(password), ...parameters, ...parameters.map(encodeURIComponent), ...whole];
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

/** What a `${…_TOKEN}` in the arguments or the url stands for, in whatever way its file writes that. */
function secretVariables(launch: Launch, rules: ExpansionRules, { variables }: Environment): string[] {
  const placeholders = launchTexts(launch).flatMap(([, text]) => placeholdersIn(text, rules));
  const names = placeholders.flatMap(({ whole }) => whole.match(/[A-Za-z_]\w*/g) ?? []);
  return names.filter(isSecretName).map((name) => variables[name] ?? "");
}
