import type { Launch } from "../model/index.ts";

/** Returns all strings of a launch that may contain placeholders, with their fields. */
export function launchTexts(launch: Launch): (readonly [field: string, text: string])[] {
  const members = (field: string, map: Readonly<Record<string, string>>) =>
    Object.entries(map).map(([key, text]) => [`${field}.${key}`, text] as const);
  if (launch.transport === "in-process") return [];
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
