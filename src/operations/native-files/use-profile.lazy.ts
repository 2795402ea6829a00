import { editNativeFiles, type NativeFileEdit } from "../../config/index.ts";
import { EVERYWHERE, PROFILE_NAME } from "../../discovery/index.ts";
import { HostError, isJsonObject, type JsonValue, nearest, type Profile } from "../../model/index.ts";
import { decide, type Workspace } from "../workspace.ts";
import { nativeFile, type WriteScope } from "./native-files.ts";

/** Which profile to use, and where. */
export interface UseProfileRequest {
  /** The name of the profile. `undefined` stops using one. */
  readonly profile: string | undefined;
  /** `project` uses it in this project only, `user` in every folder without a choice of its own. Default: `project`. */
  readonly scope?: WriteScope;
  /** Creates the profile in the user's own file with these servers, or changes it. */
  readonly servers?: readonly string[];
}

/** What a profile changed. */
export interface UsedProfile {
  /** The profile that is in use now. */
  readonly profile: Profile | undefined;
  /** The file that contains the choice. */
  readonly file: string;
  /** The servers that were turned on. */
  readonly on: readonly string[];
  /** The servers that were turned off. */
  readonly off: readonly string[];
  /** Servers of the profile that no config file defines. */
  readonly unknown: readonly string[];
  /** Servers of the profile that may not run, because they are disabled or not approved. */
  readonly unavailable: readonly string[];
}

/** Writes the choice of a profile to the user's own file, and applies it. No other file is changed. */
export async function useProfile(
  workspace: Workspace,
  { profile: name, scope = "project", servers }: UseProfileRequest,
): Promise<UsedProfile> {
  const file = workspace.places.userConfig;
  const key = scope === "user" ? EVERYWHERE : await projectKey(workspace);
  const choice = chooseProfile(workspace, name, scope, servers !== undefined);
  const before = enabledNames(workspace);
  const edit: NativeFileEdit = {
    file,
    decide(root) {
      const chosen = isJsonObject(root["activeProfiles"]) ? root["activeProfiles"] : {};
      // In a project, `null` overrides the profile that is used everywhere.
      const none = scope === "project" && Object.hasOwn(chosen, EVERYWHERE) ? null : undefined;
      const rest = Object.keys(chosen).filter((other) => other !== key);
      const isLast = choice === undefined && none === undefined && rest.length === 0;
      return [
        ...(servers === undefined || name === undefined
          ? []
          : [{ path: ["profiles", name], value: [...new Set(servers)] }]),
        isLast
          ? { path: ["activeProfiles"], value: undefined }
          : { path: ["activeProfiles", key], value: choice ?? none },
      ].filter(({ path, value }) => value !== undefined || memberExists(root, path));
    },
  };
  await editNativeFiles(workspace.ports, [edit]);
  await workspace.reload();
  const after = enabledNames(workspace);
  const { profiles, servers: known } = workspace.inventory();
  const profile = profiles.find(({ active }) => active);
  const included = profile?.servers ?? [];
  return {
    profile,
    file,
    on: [...after].filter((server) => !before.has(server)),
    off: [...before].filter((server) => !after.has(server)),
    unknown: included.filter((server) => !known.has(server)),
    unavailable: included.filter((server) => known.has(server) && !mayRun(workspace, server)),
  };
}

/** Returns the value to write: the name of the user's own profile, or `{ project: name }` for the project's. */
function chooseProfile(
  workspace: Workspace,
  name: string | undefined,
  scope: WriteScope,
  isNew: boolean,
): JsonValue | undefined {
  if (name === undefined) return undefined;
  if (isNew) {
    if (PROFILE_NAME.test(name)) return name;
    throw new HostError("CONFIG_INVALID", `"${name}" is not a valid profile name.`, {
      hint: "Use letters, digits, _ . and -, at most 100.",
    });
  }
  const { profiles } = workspace.inventory();
  const found = profiles.filter((profile) => profile.name === name);
  if (found.some(({ source }) => source.tier !== "project")) return name;
  if (found.length > 0 && scope === "project") return { project: name };
  if (found.length > 0)
    throw new HostError("CONFIG_INVALID", `The profile "${name}" belongs to this project.`, {
      hint: "It can be used in this project only.",
    });
  const close = nearest(
    name,
    profiles.map((profile) => profile.name),
  );
  throw new HostError("USAGE_INVALID", `Unknown profile "${name}".`, {
    hint:
      close === undefined
        ? "Create it by naming its servers."
        : `Did you mean "${close}"? Or create it by naming its servers.`,
  });
}

/** Returns the folder that a project's choice belongs to: the folder of the repository, else the working folder. */
async function projectKey(workspace: Workspace): Promise<string> {
  await nativeFile(workspace, "project"); // rejects in the home folder, which is not a project
  return (await workspace.projectFolders()).at(-1) ?? EVERYWHERE;
}

function enabledNames(workspace: Workspace): Set<string> {
  const { servers } = workspace.inventory();
  return new Set([...servers.values()].flatMap(({ name, enabled }) => (enabled ? name : [])));
}

function mayRun(workspace: Workspace, name: string): boolean {
  const server = workspace.inventory().servers.get(name);
  return server !== undefined && decide(workspace, server).allowed;
}

function memberExists(root: JsonValue, path: readonly string[]): boolean {
  let value: JsonValue | undefined = root;
  for (const key of path) value = isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return value !== undefined;
}
