import type { ExpansionRules, Launch } from "../model/index.ts";
import type { Environment } from "../platform/index.ts";
import { expand } from "./expand.ts";

/** A variable that a value of a launch names and nobody set. */
export interface MissingValue {
  readonly field: string;
  readonly variable: string;
}

/** What the environment cannot fill in as it is now. Looks at variables only and reads nothing. */
export function findMissingValues(
  launch: Launch,
  rules: ExpansionRules,
  { home, cwd, platform, variables }: Environment,
): MissingValue[] {
  const context = {
    variables,
    home,
    workspaceFolder: cwd,
    pathSeparator: platform === "win32" ? "\\" : "/",
  };
  const fromTexts = textsIn(launch).flatMap(([field, text]) =>
    expand(text, rules, context, field)
      .missing.filter((variable) => !variable.startsWith("file:"))
      .map((variable) => ({ field, variable })),
  );
  const named = launch.transport === "stdio" ? {} : (launch.headersFromEnv ?? {});
  const fromNames = Object.entries(named)
    .filter(([, { variable }]) => !variables[variable])
    .map(([header, { variable }]) => ({ field: `headers.${header}`, variable }));
  return [...fromTexts, ...fromNames];
}

function textsIn(launch: Launch): (readonly [field: string, text: string])[] {
  const members = (field: string, map: Readonly<Record<string, string>>) =>
    Object.entries(map).map(([key, text]) => [`${field}.${key}`, text] as const);
  if (launch.transport !== "stdio") return [["url", launch.url], ...members("headers", launch.headers)];
  const { wrap = [], command, args, cwd, envFile, env } = launch;
  return [
    ...wrap.map((text) => ["wrap", text] as const),
    ["command", command],
    ...args.map((text) => ["args", text] as const),
    ["cwd", cwd ?? ""],
    ["envFile", envFile ?? ""],
    ...members("env", env),
  ];
}
