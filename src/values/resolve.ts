import {
  codeArguments,
  isInterpreter,
  isJsonObject,
  type JsonValue,
  type Launch,
  type Problem,
  type RemoteLaunch,
  Secret,
  type Server,
  type StdioLaunch,
} from "../model/index.ts";
import type { Environment } from "../platform/index.ts";
import { blockReason } from "./blocked-headers.ts";
import { commandPath, expandTilde, workingFolder } from "./declared-program.ts";
import { readEnvFile } from "./env-file.ts";
import { envFileValues } from "./env-file-values.ts";
import { placeholder } from "./expand.ts";
import { runHeadersHelper } from "./header-command.ts";
import type { ResolveContext, ResolvedLaunch, ResolvedServer } from "./resolved-server.ts";
import { checkSecretValues, secretValues } from "./secret-values.ts";
import { ServerTexts } from "./server-texts.ts";

/** Resolves the values of a server that may run. Must not be called for a launch that is not allowed. */
export async function resolveServer(
  server: Server,
  launch: Launch,
  context: ResolveContext,
): Promise<ResolvedServer> {
  const texts = await ServerTexts.create(server, launch, context);
  const resolved = await resolveLaunch(texts, launch);
  const { oauth } = server.declaration.fields;
  const settings = oauth === undefined ? undefined : fillSettings(texts, "oauth", oauth);
  const { name, timeoutMs, timeoutSource, startupTimeoutMs, startupTimeoutSource, protocol } = server;
  const { installTimeoutMs, installTimeoutSource } = server;
  return {
    name,
    launch: texts.shown.size === 0 ? resolved : { ...resolved, shown: texts.shown },
    timeoutMs,
    timeoutSource,
    startupTimeoutMs,
    startupTimeoutSource,
    installTimeoutMs,
    installTimeoutSource,
    protocol,
    ...(settings !== undefined && { oauth: settings }),
    hidden: [...texts.hidden].filter((value) => value !== ""),
    plain: texts.plain,
    problems: texts.problems,
  };
}

/** Returns problems with values from commands, the vault or files. Runs only those commands. */
export async function checkSources(
  server: Server,
  launch: Launch,
  context: ResolveContext,
): Promise<readonly Problem[]> {
  const texts = await ServerTexts.create(server, launch, context);
  await checkSecretValues(texts, launch);
  if ("url" in launch) {
    const given = await helperHeaders(texts, launch.url);
    const names = [
      ...Object.keys({ ...launch.headers, ...launch.headersFromEnv }),
      ...given.map(([name]) => name),
    ];
    rejectedHeaders(texts, names);
  }
  return texts.problems;
}

async function resolveLaunch(texts: ServerTexts, launch: Launch): Promise<ResolvedLaunch> {
  if (launch.transport === "in-process") return launch;
  return launch.transport === "stdio" ? resolveStdio(texts, launch) : resolveRemote(texts, launch);
}

async function resolveStdio(texts: ServerTexts, launch: StdioLaunch): Promise<ResolvedLaunch> {
  const { declaration } = texts.server;
  const { environment } = texts.context;
  const [wrapper, ...wrapArguments] = launch.wrap ?? [];
  const fill = (field: string, words: readonly string[]): string[] =>
    words.map((word) => texts.fill(field, word).text);
  const isRooted = declaration.projectFolder !== undefined;
  const [command = launch.command, ...args] = [
    ...(wrapper === undefined
      ? []
      : [
          isRooted
            ? commandIn(texts, "wrap", wrapper, launch)
            : expandTilde(texts.fill("wrap", wrapper).text, environment),
        ]),
    ...fill("wrap", wrapArguments),
    commandIn(texts, "command", launch.command, launch),
    ...fill("args", launch.args),
  ];
  const { envFile } = launch;
  const { envFile: given = await readEnvFile(texts.server, launch, texts.context) } = texts.context;
  const fromFile = envFile === undefined || given === undefined ? [] : envFileValues(texts, envFile, given);
  return {
    transport: "stdio",
    command,
    args: expandTildeInCode([command, ...args], environment),
    cwd: folderIn(texts, launch.cwd),
    env: new Map([...fromFile, ...(await secretValues(texts, "env", launch.env))]),
    inheritEnv: launch.inheritEnv ?? false,
  };
}

/** Returns the arguments of a command line, with `~/` expanded in the paths of scripts and modules. */
export function expandTildeInCode(
  line: readonly string[],
  environment: Pick<Environment, "home" | "platform">,
): string[] {
  const filled = [...line];
  for (const [at, word] of line.entries()) {
    if (!isInterpreter(word)) continue;
    for (const { index, prefix, value } of codeArguments(word, line.slice(at + 1)))
      filled[at + 1 + index] = `${prefix}${expandTilde(value, environment)}`;
  }
  return filled.slice(1);
}

/** Resolves a program's path from its project's folder. Records its displayed form if it contains values. */
function commandIn(texts: ServerTexts, field: string, declared: string, { cwd }: StdioLaunch): string {
  const { environment } = texts.context;
  const { platform } = environment;
  const inFolder = (word: string): string =>
    commandPath(expandTilde(word, environment), texts.server.declaration, { platform, cwd });
  const { text, shown } = texts.fill(field, declared);
  const command = inFolder(text);
  if (shown !== text) texts.shown.set(command, inFolder(shown));
  return command;
}

function folderIn(texts: ServerTexts, declared: string | undefined): string | undefined {
  const { declaration } = texts.server;
  if (declared === undefined) return workingFolder(undefined, declaration);
  const { text, shown } = texts.fill("cwd", declared);
  const inFolder = (path: string): string =>
    workingFolder(expandTilde(path, texts.context.environment), declaration);
  const folder = inFolder(text);
  if (shown !== text) texts.shown.set(folder, inFolder(shown));
  return folder;
}

async function resolveRemote(texts: ServerTexts, launch: RemoteLaunch): Promise<ResolvedLaunch> {
  const headers = await secretValues(texts, "headers", launch.headers);
  for (const [header, { variable, prefix }] of Object.entries(launch.headersFromEnv ?? {})) {
    const value = texts.context.environment.variables[variable];
    if (value === undefined || value === "")
      texts.complain(`headers.${header}`, `needs ${placeholder(variable)}, which is not set`);
    else {
      texts.hide(value);
      headers.set(header, new Secret(`${prefix}${value}`));
    }
  }
  const url = texts.fill("url", launch.url).text;
  for (const [header, value] of await helperHeaders(texts, url)) {
    texts.hide(value);
    headers.set(header, new Secret(value));
  }
  for (const header of rejectedHeaders(texts, headers.keys())) headers.delete(header);
  return { transport: launch.transport, url, headers };
}

/** Reports the headers that are not sent and returns them. */
function rejectedHeaders(texts: ServerTexts, headers: Iterable<string>): string[] {
  return [...headers].filter((header) => {
    const why = blockReason(header, texts.server.provenance.tier);
    if (why !== undefined) texts.complain(`headers.${header}`, `is not sent: ${why}`);
    return why !== undefined;
  });
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
      ? { failed: "is a command that runs only after you approve the server" }
      : await runHeadersHelper(headersHelper, { name, url, folder: texts.commandFolder }, sources.commands);
  if ("headers" in answer) return answer.headers;
  texts.complain("headersHelper", answer.failed, "value-dynamic");
  return [];
}

function fillSettings(texts: ServerTexts, field: string, value: JsonValue): JsonValue | undefined {
  if (typeof value === "string") {
    const { text, complete } = texts.fill(field, value);
    return complete ? text : undefined;
  }
  if (Array.isArray(value)) {
    const items: readonly JsonValue[] = value;
    return items.flatMap((item, at) => fillSettings(texts, `${field}[${at}]`, item) ?? []);
  }
  if (!isJsonObject(value)) return value;
  const filled = Object.entries(value).flatMap(([key, item]) => {
    const found = fillSettings(texts, `${field}.${key}`, item);
    return found === undefined ? [] : [[key, found] as const];
  });
  return Object.fromEntries(filled);
}
