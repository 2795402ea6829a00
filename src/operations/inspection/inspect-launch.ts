import { type Launch, maskUrl, type ServerEntry, type StdioLaunch } from "../../model/index.ts";
import type { Environment } from "../../platform/index.ts";
import { declaredProgram, launchTexts, placeholdersIn } from "../../values/index.ts";
import { entryInQuestion } from "../approve-server.ts";
import { findServer } from "../find-server.ts";
import type { Workspace } from "../workspace.ts";
import { searchProgram } from "./search-program.ts";

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
  const program = await programOf(workspace, entry, launch);
  return { ...(program !== undefined && { program }), reads, destination: program ?? launch.command };
}

async function programOf(
  workspace: Workspace,
  entry: ServerEntry,
  launch: StdioLaunch,
): Promise<string | undefined> {
  const declared = declaredProgram(entry, launch);
  if (declared !== undefined && /^[\\/]{2}/.test(declared.command)) return undefined; // looking would reach another machine
  const { program } = (declared && (await searchProgram(workspace, launch, declared))) ?? {};
  return program && workspace.ports.files.realPath(program).catch(() => program);
}

function readsOf(
  { declaration }: ServerEntry,
  launch: Launch,
  { variables }: Environment,
): { variable: string; field: string }[] {
  const oauth = declaration.fields["oauth"];
  const texts = [
    ...launchTexts(launch),
    ...(oauth === undefined ? [] : [["oauth", JSON.stringify(oauth)] as const]),
  ];
  const named =
    launch.transport === "stdio"
      ? []
      : Object.entries(launch.headersFromEnv ?? {}).map(([header, { variable }]) => ({
          variable,
          field: `headers.${header}`,
        }));
  const inTexts = texts.flatMap(([field, text]) =>
    placeholdersIn(text, declaration.expansion).flatMap(({ variable, whole }) => {
      const withDefault = /^\$\{([^}:]+):-/.exec(whole)?.[1];
      const name = variable ?? withDefault;
      return name === undefined ? [] : [{ variable: name, field }];
    }),
  );
  const { secretValues } = declaration.expansion;
  const isName = (text: string): boolean => secretValues === true && Object.hasOwn(variables, text);
  const asNames = texts.flatMap(([field, text]) =>
    /^(?:env|headers)\./.test(field) && isName(text) ? [{ variable: text, field }] : [],
  );
  return [...inTexts, ...asNames, ...named];
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : maskUrl(url);
}
