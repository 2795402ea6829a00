import { delimiter, isAbsolute, join, resolve } from "node:path";
import { type Launch, maskUrl, type ServerEntry } from "../model/index.ts";
import type { Environment } from "../platform/index.ts";
import { placeholdersIn } from "../values/index.ts";
import { entryInQuestion } from "./approve-server.ts";
import { findServer } from "./find-server.ts";
import type { Workspace } from "./workspace.ts";

/** What a launch would do on this machine, found out without doing it. */
export interface LaunchInspection {
  /** The file that would be run, every link followed; nothing when there is none. */
  readonly program?: string;
  /** The variables it would read, each with the field that wants it. */
  readonly reads: readonly { readonly variable: string; readonly field: string }[];
  /** Who would get them: the program, or the host of the address. */
  readonly destination: string;
}

export async function inspectLaunch(workspace: Workspace, name: string): Promise<LaunchInspection> {
  const entry = entryInQuestion(workspace, findServer(workspace, name));
  const { launch } = entry;
  if (launch === undefined) return { reads: [], destination: "" };
  const reads = readsOf(entry, launch, workspace.environment);
  if (launch.transport !== "stdio") return { reads, destination: hostOf(launch.url) };
  const program = await findProgram(workspace, launch.wrap?.[0] ?? launch.command, launch.cwd);
  return { ...(program !== undefined && { program }), reads, destination: program ?? launch.command };
}

function readsOf(
  { declaration }: ServerEntry,
  launch: Launch,
  { variables }: Environment,
): { variable: string; field: string }[] {
  const texts =
    launch.transport === "stdio"
      ? [
          ["command", launch.command],
          ...launch.args.map((text, index) => [`args[${index}]`, text]),
          ...Object.entries(launch.env).map(([name, text]) => [`env.${name}`, text]),
          ["cwd", launch.cwd ?? ""],
        ]
      : [
          ["url", launch.url],
          ...Object.entries(launch.headers).map(([name, text]) => [`headers.${name}`, text]),
        ];
  const named =
    launch.transport === "stdio"
      ? []
      : Object.entries(launch.headersFromEnv ?? {}).map(([header, { variable }]) => ({
          variable,
          field: `headers.${header}`,
        }));
  const inTexts = texts.flatMap(([field = "", text = ""]) =>
    placeholdersIn(text, declaration.expansion).flatMap(({ variable, whole }) => {
      const withDefault = /^\$\{([^}:]+):-/.exec(whole)?.[1];
      const name = variable ?? withDefault;
      return name === undefined ? [] : [{ variable: name, field }];
    }),
  );
  const { secretValues } = declaration.expansion;
  const isName = (text: string): boolean => secretValues === true && Object.hasOwn(variables, text);
  const asNames = texts.flatMap(([field = "", text = ""]) =>
    /^(?:env|headers)\./.test(field) && isName(text) ? [{ variable: text, field }] : [],
  );
  return [...inTexts, ...asNames, ...named];
}

/** By the rules of the system: a path as it is, a bare name from the folders of PATH. */
async function findProgram(
  { environment, ports: { files } }: Workspace,
  command: string,
  cwd: string | undefined,
): Promise<string | undefined> {
  const folders = /[\\/]/.test(command)
    ? [resolve(environment.cwd, cwd ?? "")]
    : (environment.variables["PATH"] ?? "").split(delimiter).filter(isAbsolute);
  for (const folder of folders) {
    const file = isAbsolute(command) ? command : join(folder, command);
    if ((await files.kind(file)) === "file") return files.realPath(file);
  }
  return undefined;
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : maskUrl(url);
}
