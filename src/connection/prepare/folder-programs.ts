import { posix, win32 } from "node:path";

/** A program that runs the code of a folder: the one it starts in, or one that an option names. */
interface FolderProgram {
  /** The option that names the folder, or a file in it. */
  readonly option: RegExp;
  /** Settings in its start folder that make it run other code, regardless of the option. */
  readonly settings: readonly string[];
  /** It runs everything in the folder that the option names, so it can start there. */
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

/** The folder or file that a program's option names with an absolute path, and details of the program. */
export interface NamedFolder extends FolderProgram {
  readonly path: string;
}

/** Returns the folder that the program's options name, or `undefined` if it runs the code of its start folder. */
export function namedFolder(program: string, args: readonly string[]): NamedFolder | undefined {
  const known = Object.hasOwn(PROGRAMS, program) ? PROGRAMS[program] : undefined;
  if (known === undefined) return undefined;
  for (const [index, word] of args.entries()) {
    // Options after the name of a script belong to the script.
    if (word === "--" || (known.runsThere === true && !word.startsWith("-"))) return undefined;
    const [, option = word, inline] = /^(--[\w-]+)=(.*)$/s.exec(word) ?? [];
    if (!known.option.test(option)) continue;
    const path = inline ?? args[index + 1] ?? "";
    return posix.isAbsolute(path) || win32.isAbsolute(path) ? { ...known, path } : undefined;
  }
  return undefined;
}
