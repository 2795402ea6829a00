import { posix, win32 } from "node:path";
import { HostError, messageOf } from "../../model/index.ts";
import type { Files } from "../../platform/index.ts";

/** The folder of the program to start, for the two files below. */
export const SERVER_FOLDER = "PLUGBOARD_SERVER_FOLDER";

/**
 * npm starts every script with its shell. For the server alone, this one enters the server's folder first. Behind a wrapper npm
 * already is in that folder: then the folder's own programs, which npm put on PATH, are taken off again.
 */
const ENTER_SH = `#!/bin/sh
if [ "$npm_lifecycle_event" = npx ]; then
  folder=$${SERVER_FOLDER}
  unset ${SERVER_FOLDER} npm_config_script_shell
  if [ -n "$folder" ]; then
    cd -- "$folder" || exit 126
    unset OLDPWD
    INIT_CWD=$folder
    export INIT_CWD
  else
    folder=$(pwd -P)
    paths=:$PATH:
    while [ -n "$folder" ]; do
      bin=:$folder/node_modules/.bin:
      case $paths in *"$bin"*) paths=\${paths%%"$bin"*}:\${paths#*"$bin"} ;; esac
      folder=\${folder%/*}
    done
    paths=\${paths#:}
    PATH=\${paths%:}
  fi
fi
exec /bin/sh "$@"
`;

/** Node and Bun load this first. It enters the server's folder in the program that a package runner starts, not in the runner. */
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

/** A folder without packages or settings, and the files that lead from there to the server's folder. */
export interface RunnerFolder {
  readonly folder: string;
  readonly shell: string;
  readonly preload: string;
  readonly emptyConfig: string;
}

export function runnerFolder(cache: string, platform: string): RunnerFolder {
  const { join } = platform === "win32" ? win32 : posix;
  const folder = join(cache, "runners");
  return {
    folder,
    shell: join(folder, "enter-folder.sh"),
    preload: join(folder, "enter-folder.cjs"),
    emptyConfig: join(folder, "empty.toml"),
  };
}

/** Creates what is missing in the folder, and replaces what was changed. */
export async function writeRunnerFolder(runners: RunnerFolder, files: Files): Promise<void> {
  const { folder, shell, preload, emptyConfig } = runners;
  try {
    await files.makeFolder(folder, 0o700);
    await Promise.all([
      keep(files, shell, ENTER_SH, 0o700),
      keep(files, preload, ENTER_CJS, 0o600),
      keep(files, emptyConfig, "", 0o600),
    ]);
  } catch (cause) {
    throw new HostError("CONNECT_FAILED", `${folder} could not be written: ${messageOf(cause)}`, {
      hint: "Package runners are started there. Check the folder's owner and mode.",
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
