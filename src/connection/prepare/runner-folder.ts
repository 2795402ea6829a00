import { posix, win32 } from "node:path";
import { HostError, messageOf } from "../../model/index.ts";
import type { Files } from "../../platform/index.ts";

/** The variable that passes the server's folder to the two files below. */
export const SERVER_FOLDER = "PLUGBOARD_SERVER_FOLDER";

/** The variable that keeps the script shell below, because the server starts another npx. */
export const KEEP_SHELL = "PLUGBOARD_KEEP_SHELL";

/** The variable that makes npx only install packages. */
export const INSTALL_ONLY = "PLUGBOARD_INSTALL_ONLY";

/**
 * npm runs every script with its script shell. For the server only, this shell first enters the server's folder. npm adds the
 * programs of its working folder and of all parents to PATH. The shell removes them again, unless npm started in the project.
 */
const ENTER_SH = `#!/bin/sh
if [ -n "$${INSTALL_ONLY}" ]; then
  [ "$npm_lifecycle_event" != npx ] || exit 0
  unset ${INSTALL_ONLY} npm_config_script_shell
fi
if [ "$npm_lifecycle_event" = npx ]; then
  folder=$(pwd -P)
  if [ -z "$${SERVER_FOLDER}" ] || [ "$folder" = / ]; then
    paths=:$PATH:
    while [ -n "$folder" ]; do
      bin=:$folder/node_modules/.bin:
      case $paths in *"$bin"*) paths=\${paths%%"$bin"*}:\${paths#*"$bin"} ;; esac
      folder=\${folder%/*}
    done
    bin=:/node_modules/.bin:
    case $paths in *"$bin"*) paths=\${paths%%"$bin"*}:\${paths#*"$bin"} ;; esac
    paths=\${paths#:}
    PATH=\${paths%:}
  fi
  folder=$${SERVER_FOLDER}
  [ -n "$${KEEP_SHELL}" ] || unset npm_config_script_shell
  unset ${SERVER_FOLDER} ${KEEP_SHELL}
  if [ -n "$folder" ]; then
    cd -- "$folder" || exit 126
    unset OLDPWD
    INIT_CWD=$folder
    export INIT_CWD
  fi
fi
exec /bin/sh "$@"
`;

/** Node and Bun preload this file. It enters the server's folder in the program that a package runner starts, not in the runner. */
const ENTER_CJS = `const { chdir, env } = require("node:process");
const { ${SERVER_FOLDER}: folder, npm_lifecycle_event: event, npm_execpath: runner } = env;
if (folder && (event === "npx" || event === "bunx" || (!event && runner))) {
  chdir(folder);
  delete env.${SERVER_FOLDER};
  for (const name of ["NODE_OPTIONS", "BUN_OPTIONS"]) {
    const others = (env[name] || "").split(/ ?--(?:require|preload)[ =]"?[^"]*enter-folder\\.cjs"?/).join("");
    if (others) env[name] = others;
    else delete env[name];
  }
}
`;

/** A folder without packages or settings, and the files that switch from there to the server's folder. */
export interface RunnerFolder {
  /** The folder that contains the files. */
  readonly folder: string;
  /**
   * The folder that package runners start in: the root, because they also search all parent folders. Only an administrator can
   * write there. On Windows any user can create folders in the root, so it is the folder of the files.
   */
  readonly start: string;
  readonly shell: string;
  readonly preload: string;
  readonly emptyConfig: string;
  readonly tsconfig: string;
}

export function runnerFolder(cache: string, platform: string): RunnerFolder {
  const { join } = platform === "win32" ? win32 : posix;
  const folder = join(cache, "runners");
  return {
    folder,
    start: platform === "win32" ? folder : "/",
    shell: join(folder, "enter-folder.sh"),
    preload: join(folder, "enter-folder.cjs"),
    emptyConfig: join(folder, "empty.toml"),
    tsconfig: join(folder, "tsconfig.json"),
  };
}

/** Creates missing files in the folder and restores changed ones. */
export async function writeRunnerFolder(runners: RunnerFolder, files: Files): Promise<void> {
  const { folder, shell, preload, emptyConfig, tsconfig } = runners;
  try {
    await files.makeFolder(folder, 0o700);
    await Promise.all([
      keep(files, tsconfig, "{}\n", 0o600),
      keep(files, shell, ENTER_SH, 0o700),
      keep(files, preload, ENTER_CJS, 0o600),
      keep(files, emptyConfig, "", 0o600),
    ]);
  } catch (cause) {
    throw new HostError("CONNECT_FAILED", `${folder} could not be written: ${messageOf(cause)}`, {
      hint: "Package runners need the files in it. Check the folder's owner and mode.",
      cause,
    });
  }
}

async function keep(files: Files, file: string, text: string, mode: number): Promise<void> {
  const bytes = await files.read(file);
  if (bytes !== undefined && new TextDecoder().decode(bytes) === text && (await files.mode(file)) === mode)
    return;
  await files.replace(file, text, mode);
}
