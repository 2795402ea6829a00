import { posix } from "node:path";
import type { Environment, Files } from "../../platform/index.ts";
import { readGitConfig } from "../../sandbox/index.ts";
import { isInside } from "./sandbox-project.ts";

const [MOST_REPOSITORIES, MOST_CHILDREN, MOST_CONFIGS, LARGEST_FILE] = [200, 1_000, 50, 1024 * 1024] as const;

/**
 * Returns the files and folders of a project from which git takes programs or settings, apart from the project's own `.git`: hooks that a
 * config names, files that it includes, scripts in its values, and the repositories of submodules and of folders directly in the project.
 * Even `git status` in the project runs code of a submodule.
 */
export async function gitPaths(
  files: Pick<Files, "read" | "kind" | "list" | "realPath">,
  project: string,
  { home, variables }: Pick<Environment, "home" | "variables">,
): Promise<string[]> {
  const found = new Set<string>();
  const repositories = new Set([project]);
  const names = await files.list(project, MOST_CHILDREN);
  for (const name of names) {
    const child = posix.join(project, name);
    const hasGit = name !== ".git" && (await kindOf(posix.join(child, ".git"))) !== undefined;
    if (hasGit && (await files.realPath(child)) === child) repositories.add(child); // a link leads out, or to one that is found too
  }
  for (const folder of repositories) await addRepository(folder);
  return [...found];

  async function addRepository(folder: string): Promise<void> {
    if (folder !== project) await addExisting(posix.join(folder, ".git"));
    const own = await gitFolder(folder);
    const common = posix.resolve(own, (await text(posix.join(own, "commondir"))).trim());
    const global = variables["XDG_CONFIG_HOME"] || posix.join(home ?? "/", ".config");
    const configs = new Set([
      posix.join(common, "config"),
      posix.join(own, "config.worktree"),
      "/etc/gitconfig",
      posix.join(global, "git", "config"),
      ...(home === undefined ? [] : [posix.join(home, ".gitconfig")]),
    ]);
    for (const file of configs) {
      for (const { key, value } of readGitConfig(await text(file))) {
        if (/^include(?:if)?\.path$/.test(key)) {
          const included = expand(posix.dirname(file), value);
          if (configs.size < MOST_CONFIGS) configs.add(included);
          await addExisting(included);
        } else if (key === "core.hookspath") await addExisting(expand(folder, value));
        else await addScripts(folder, value);
      }
    }
    const modules = posix.join(folder, ".gitmodules");
    for (const { key, value } of readGitConfig(await text(modules))) {
      const path = posix.resolve(folder, value);
      if (key === "submodule.path" && isInside(path, folder) && repositories.size < MOST_REPOSITORIES)
        repositories.add(path);
    }
  }

  /** A repository's folder for its own files: `.git`, or the folder that the file `.git` names. */
  async function gitFolder(folder: string): Promise<string> {
    const path = posix.join(folder, ".git");
    const [, named] = /^gitdir:\s*(.+)/.exec(await text(path)) ?? [];
    return named === undefined ? path : posix.resolve(folder, named.trim());
  }

  /** Adds a path of the project or, if it does not exist, the lowest folder on the way to it. */
  async function addExisting(path: string): Promise<void> {
    for (let at = path; at !== project && isInside(at, project); at = posix.dirname(at)) {
      if ((await kindOf(at)) === undefined) continue;
      found.add(at);
      return;
    }
  }

  /** Values such as `sh tools/clean.sh %f` name programs. */
  async function addScripts(folder: string, value: string): Promise<void> {
    for (const word of value.split(/[\s"'`;&|()<>=!]+/)) {
      const path = posix.resolve(folder, word);
      if (path !== project && isInside(path, project) && (await kindOf(path)) === "file") found.add(path);
    }
  }

  /** If a part of the path is a file, nothing exists below it. */
  function kindOf(path: string): Promise<"file" | "folder" | undefined> {
    return files.kind(path).catch(() => undefined);
  }

  function expand(folder: string, value: string): string {
    return value.startsWith("~/") ? posix.join(home ?? "/", value.slice(2)) : posix.resolve(folder, value);
  }

  async function text(path: string): Promise<string> {
    const bytes = await files.read(path, LARGEST_FILE).catch(() => undefined);
    return new TextDecoder().decode(bytes);
  }
}
