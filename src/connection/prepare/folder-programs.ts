import { posix, win32 } from "node:path";

/** A program that runs the code of a folder. An option can name another folder than the one it starts in. */
interface FolderProgram {
  /** The option that names the folder, or a file in it. */
  readonly option: RegExp;
  /** Settings in the folder it starts in that make it run other code, whatever the option says. */
  readonly settings: readonly string[];
  /** It runs everything in the folder that the option names, so it may as well start there. */
  readonly runsThere?: true;
}

const YARN: FolderProgram = { option: /^--cwd$/, settings: [".yarnrc", ".yarnrc.yml"], runsThere: true };

/** The settings of pnpm's own folder count, but Corepack looks for the version of pnpm in the folder it starts in. */
const PROGRAMS: Readonly<Record<string, FolderProgram>> = {
  yarn: YARN,
  yarnpkg: YARN,
  pnpm: { option: /^(?:-C|--dir)$/, settings: [], runsThere: true },
  cargo: {
    option: /^--manifest-path$/,
    settings: [".cargo/config.toml", ".cargo/config", "rust-toolchain.toml", "rust-toolchain"],
  },
  dotnet: { option: /^--(?:project|file)$/, settings: ["global.json"] },
};

/** The folder or file that a program's option names by an absolute path, and what to know about the program. */
export interface NamedFolder extends FolderProgram {
  readonly path: string;
}

/** Returns the folder that is named for the program, or `undefined` if it runs the code of the folder it starts in. */
export function namedFolder(program: string, args: readonly string[]): NamedFolder | undefined {
  const known = Object.hasOwn(PROGRAMS, program) ? PROGRAMS[program] : undefined;
  if (known === undefined) return undefined;
  for (const [index, word] of args.entries()) {
    // Behind the name of a script, options are the script's.
    if (word === "--" || (known.runsThere === true && !word.startsWith("-"))) return undefined;
    const [, option = word, inline] = /^(--[\w-]+)=(.*)$/s.exec(word) ?? [];
    if (!known.option.test(option)) continue;
    const path = inline ?? args[index + 1] ?? "";
    return posix.isAbsolute(path) || win32.isAbsolute(path) ? { ...known, path } : undefined;
  }
  return undefined;
}
