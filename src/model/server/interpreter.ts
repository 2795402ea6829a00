/** An interpreter whose arguments name the code it runs. */
interface Interpreter {
  readonly name: RegExp;
  /** Subcommands that may come before the script: `deno run`. */
  readonly verbs?: readonly string[];
  /** Options that take the next argument as their value. */
  readonly values: RegExp;
  /** Options whose value is code to load, in the next argument or after `=`. */
  readonly code?: RegExp;
  /** Options that replace the script argument, such as `-e`. */
  readonly inline: RegExp;
  /**
   * A script argument must look like a file. Other words name a script from the folder's config, such as
   * `package.json`.
   */
  readonly files?: true;
}

const NODE: Interpreter = {
  name: /^(?:node|nodejs)$/,
  values:
    /^(?:-C|--conditions|--input-type|--title|--inspect-port|--debug-port|--inspect-publish-uid|--allow-fs-(?:read|write)|--build-snapshot-config|--(?:cpu|heap)-prof-(?:dir|interval|name)|--diagnostic-dir|--disable-proto|--disable-warning|--dns-result-order|--experimental-default-type|--heapsnapshot-(?:near-heap-limit|signal)|--icu-data-dir|--localstorage-file|--max-http-header-size|--network-family-autoselection-attempt-timeout|--openssl-config|--redirect-warnings|--report-(?:directory|dir|filename|signal)|--secure-heap|--secure-heap-min|--snapshot-blob|--stack-trace-limit|--test-(?:concurrency|name-pattern|skip-pattern|reporter|reporter-destination|shard|timeout)|--tls-cipher-list|--tls-keylog|--trace-event-categories|--trace-event-file-pattern|--trace-require-module|--unhandled-rejections|--use-largepages|--v8-pool-size|--watch-path)$/,
  // An env file can load code through NODE_OPTIONS.
  code: /^(?:-r|--require|--import|--loader|--experimental-loader|--env-file|--env-file-if-exists|--experimental-config-file)$/,
  inline: /^(?:-e|--eval|-p|--print|-pe|--run)(?:=|$)/,
};

const INTERPRETERS: readonly Interpreter[] = [
  NODE,
  {
    ...NODE,
    name: /^(?:tsx|ts-node)$/,
    verbs: ["watch", "test"],
    values: new RegExp(`${NODE.values.source}|^--tsconfig$`),
  },
  {
    name: /^bun$/,
    verbs: ["run"],
    values: /^(?:--cwd|-c|--config|--env-file|--conditions)$/,
    code: /^(?:-r|--preload|--require|--import)$/,
    inline: /^(?:-e|--eval|-p|--print)(?:=|$)/,
    files: true,
  },
  {
    name: /^deno$/,
    verbs: ["run", "serve"],
    values: /^(?:-c|--config|--import-map|--lock|--cert|--env-file|--location|--seed)$/,
    code: /^--preload$/,
    inline: /^(?:eval|task|x|test|repl|install|compile)$/,
    files: true,
  },
  {
    name: /^(?:pythonw?|pypy)(?:\d(?:\.\d+)?t?)?$|^pyw?$/,
    values: /^(?:-[A-Za-z]*[WX]|--check-hash-based-pycs)$/,
    inline: /^-[A-VY-Za-z]*[mc]/,
  },
  { name: /^ruby$/, values: /^-[ICE]$/, code: /^-r$/, inline: /^-[a-z]*e/ },
  { name: /^perl$/, values: /^-I$/, inline: /^-[a-z]*[eE]/ },
  { name: /^php$/, values: /^-[dcz]$/, code: /^(?:-f|--file)$/, inline: /^(?:-r|--run|-S|-a)$/ },
  { name: /^(?:ba|da|z|k|fi)?sh$/, values: /^-[oO]$/, inline: /^-[a-z]*c/ },
  { name: /^(?:lua|luajit|rscript)(?:\d(?:\.\d+)?)?$/i, values: /^-l$/, inline: /^-e$/ },
  {
    name: /^(?:pwsh|powershell)$/i,
    values: /^-(?:ExecutionPolicy|ep)$/i,
    code: /^-(?:f|File)$/i,
    inline: /^-(?:c|Command|EncodedCommand)$/i,
  },
  {
    name: /^java$/,
    values: /^(?:-cp|-classpath|--class-path|-p|--module-path)$/,
    code: /^-jar$/,
    inline: /^(?:-m|--module)$|^[\w$]+(?:\.[\w$]+)*$/,
  },
  { name: /^dotnet$/, values: /^$/, inline: /^(?!.*\.(?:dll|exe)$)[a-z]/i },
];

/** Returns a program's name without its folder and without Windows extensions such as `.exe`. */
export function programName(command: string): string {
  const end = Math.max(command.lastIndexOf("/"), command.lastIndexOf("\\"));
  return command.slice(end + 1).replace(/\.(?:exe|cmd|bat|ps1)$/i, "");
}

function interpreterOf(command: string): Interpreter | undefined {
  const program = programName(command).toLowerCase();
  return INTERPRETERS.find(({ name }) => name.test(program));
}

/** Returns whether the arguments of this program name or contain the code it runs. */
export function isInterpreter(command: string): boolean {
  return interpreterOf(command) !== undefined;
}

/** An argument of an interpreter that names code. */
export interface CodeArgument {
  /** The argument's index. */
  readonly index: number;
  /** The part of the argument before the value, such as `--import=`. */
  readonly prefix: string;
  readonly value: string;
  /** The option that the value belongs to. Empty for a script argument. */
  readonly option: string;
  /** Whether this is the script itself, not a module that is loaded before it. */
  readonly isScript: boolean;
}

/** Returns the arguments that name code if the command is a known interpreter: preloaded modules, then the script. */
export function codeArguments(command: string, args: readonly string[]): readonly CodeArgument[] {
  const interpreter = interpreterOf(command);
  if (interpreter === undefined) return [];
  const { verbs = [], values, code, inline, files } = interpreter;
  const found: CodeArgument[] = [];
  let index = verbs.includes(args[0] ?? "") ? 1 : 0;
  for (; index < args.length; index += 1) {
    const word = args[index] ?? "";
    const [, option = word, inlineValue] = /^(-[^=]*)=([\s\S]*)$/.exec(word) ?? [];
    if (inline.test(word)) return found;
    if (code?.test(option) === true) {
      const isScript = /^-(?:jar|f|-file|File)$/i.test(option);
      if (inlineValue === undefined) index += 1;
      const value = inlineValue ?? args[index];
      const prefix = inlineValue === undefined ? "" : `${option}=`;
      if (value !== undefined) found.push({ index, prefix, value, option, isScript });
      if (isScript) return found;
    } else if (word === "--") {
      index += 1;
      break;
    } else if (values.test(word)) index += 1;
    else if (!word.startsWith("-") || word === "-") {
      // After an unknown option, this word may be the option's value. Then the options after it can still name code.
      const isValue = /^--[^=]+$/.test(args[index - 1] ?? "") && /^\w[\w-]*$/.test(word);
      if (!isValue || !optionsFrom(args, index + 1).some((next) => code?.test(next) === true)) break;
    }
  }
  const script = args[index];
  if (script === undefined || script === "-" || (files === true && !/[\\/.]/.test(script))) return found;
  return [...found, { index, prefix: "", value: script, option: "", isScript: true }];
}

/** Returns the names of the options from `start` up to the next argument without a dash. */
function optionsFrom(args: readonly string[], start: number): string[] {
  const end = args.findIndex((word, index) => index >= start && !word.startsWith("-"));
  return args.slice(start, end === -1 ? undefined : end).map((word) => word.replace(/=[\s\S]*$/, ""));
}

/** Returns the code that is passed as an argument, as in `node -e code`. */
export function inlineCode(command: string, args: readonly string[]): string | undefined {
  const inline = interpreterOf(command)?.inline;
  const last = codeArguments(command, args).at(-1);
  const at = args.findIndex((word) => inline?.test(word) === true);
  if (at === -1 || (last?.isScript === true && last.index < at)) return undefined;
  return /^--?[\w-]+=([\s\S]*)$/.exec(args[at] ?? "")?.[1] ?? args[at + 1];
}

/** Returns whether this is a relative path. URLs, flags and placeholders are not. */
export function isRelativePath(path: string): boolean {
  return !/^(?:[\\/]|~|\$|[a-z][a-z\d+.-]*:|-|\{)/i.test(path) && path !== "";
}

/**
 * Returns whether a text may name the folder that a program is started in by an absolute path, such as `/proc/self/cwd/x`
 * or `/dev/fd/../cwd/x`.
 */
export function mayNameOwnFolder(text: string): boolean {
  return /\/proc\/|\/dev\/+(?:fd|\.)/.test(text);
}

/** Returns whether a command is a file path. Otherwise it is looked up in PATH. */
export function isCommandPath(command: string, platform: string): boolean {
  return platform === "win32" ? /[\\/]/.test(command) : command.includes("/");
}
