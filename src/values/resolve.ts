import {
  isJsonObject,
  type JsonValue,
  type Launch,
  type Problem,
  type RemoteLaunch,
  Secret,
  type Server,
  type StdioLaunch,
} from "../model/index.ts";
import { commandPath, workingFolder } from "./declared-program.ts";
import { readEnvFile } from "./env-file.ts";
import { envFileValues } from "./env-file-values.ts";
import { askHeadersHelper } from "./header-command.ts";
import type { ResolveContext, ResolvedLaunch, ResolvedServer } from "./resolved-server.ts";
import { checkSecretValues, secretValues } from "./secret-values.ts";
import { ServerTexts } from "./server-texts.ts";

/** Fills in the values of a server that may run. Never called for a launch that nobody allowed. */
export async function resolveServer(
  server: Server,
  launch: Launch,
  context: ResolveContext,
): Promise<ResolvedServer> {
  const texts = await ServerTexts.create(server, launch, context);
  const resolved =
    launch.transport === "stdio" ? await resolveStdio(texts, launch) : await resolveRemote(texts, launch);
  const { oauth } = server.declaration.fields;
  const settings = oauth === undefined ? undefined : fillSettings(texts, "oauth", oauth);
  const { name, timeoutMs, timeoutSource, startupTimeoutMs, startupTimeoutSource, protocol } = server;
  return {
    name,
    launch: resolved,
    timeoutMs,
    timeoutSource,
    startupTimeoutMs,
    startupTimeoutSource,
    protocol,
    ...(settings !== undefined && { oauth: settings }),
    problems: texts.problems,
  };
}

/** What is wrong with values that a command, the store or a file has to give. Nothing is started but those commands. */
export async function checkSources(
  server: Server,
  launch: Launch,
  context: ResolveContext,
): Promise<readonly Problem[]> {
  const texts = await ServerTexts.create(server, launch, context);
  await checkSecretValues(texts, launch);
  if (launch.transport !== "stdio") await helperHeaders(texts, launch.url);
  return texts.problems;
}

async function resolveStdio(texts: ServerTexts, launch: StdioLaunch): Promise<ResolvedLaunch> {
  const { declaration } = texts.server;
  const { platform } = texts.context.environment;
  const rooted = (word: string): string => commandPath(word, declaration, { platform, cwd: launch.cwd });
  const fill = (field: string, words: readonly string[]): string[] =>
    words.map((word) => texts.fill(field, word).text);
  const [command = launch.command, ...args] = [
    ...fill("wrap", launch.wrap ?? []).map((word, index) =>
      index === 0 && declaration.projectFolder !== undefined ? rooted(word) : word,
    ),
    ...fill("command", [launch.command]).map(rooted),
    ...fill("args", launch.args),
  ];
  const { envFile } = launch;
  const { envFile: given = await readEnvFile(texts.server, launch, texts.context) } = texts.context;
  const fromFile = envFile === undefined || given === undefined ? [] : envFileValues(texts, envFile, given);
  return {
    transport: "stdio",
    command,
    args,
    cwd: workingFolder(
      launch.cwd === undefined ? undefined : texts.fill("cwd", launch.cwd).text,
      declaration,
    ),
    env: new Map([...fromFile, ...(await secretValues(texts, "env", launch.env))]),
    inheritEnv: launch.inheritEnv ?? false,
  };
}

async function resolveRemote(texts: ServerTexts, launch: RemoteLaunch): Promise<ResolvedLaunch> {
  const headers = await secretValues(texts, "headers", launch.headers);
  for (const [header, { variable, prefix }] of Object.entries(launch.headersFromEnv ?? {})) {
    const value = texts.context.environment.variables[variable];
    if (value === undefined || value === "")
      texts.complain(`headers.${header}`, `needs \${${variable}}, which is not set`);
    else headers.set(header, new Secret(`${prefix}${value}`));
  }
  const url = texts.fill("url", launch.url).text;
  for (const [header, value] of await helperHeaders(texts, url)) headers.set(header, new Secret(value));
  return { transport: launch.transport, url, headers };
}

async function helperHeaders(
  texts: ServerTexts,
  url: string,
): Promise<readonly (readonly [string, string])[]> {
  const { name, declaration } = texts.server;
  const { headersHelper } = declaration.fields;
  if (headersHelper === undefined) return [];
  const { sources } = texts.context;
  const answer =
    sources === undefined
      ? { failed: "is a command, which runs only once you approved the server" }
      : await askHeadersHelper(headersHelper, { name, url }, sources.commands);
  if ("headers" in answer) return answer.headers;
  texts.complain("headersHelper", answer.failed, "value-dynamic");
  return [];
}

function fillSettings(texts: ServerTexts, field: string, value: JsonValue): JsonValue | undefined {
  if (typeof value === "string") {
    const { text, complete } = texts.fill(field, value);
    return complete ? text : undefined;
  }
  if (!isJsonObject(value)) return value;
  const filled = Object.entries(value).flatMap(([key, item]) => {
    const found = fillSettings(texts, `${field}.${key}`, item);
    return found === undefined ? [] : [[key, found] as const];
  });
  return Object.fromEntries(filled);
}
