import { type ExpansionRules, memoize, type PlaceholderSyntax } from "../model/index.ts";

/** What placeholders can stand for. */
export interface ExpansionContext {
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** `undefined`: `${userHome}` stays unresolved. */
  readonly home: string | undefined;
  readonly workspaceFolder: string;
  readonly pathSeparator: string;
  /** Texts of files that `{file:…}` names, by the name as written. */
  readonly files?: ReadonlyMap<string, string>;
  /** Stored secrets that `${keychain:…}` names. */
  readonly secrets?: ReadonlyMap<string, string>;
  /** Whether the value of this variable may be shown; no value is shown without it. */
  showsVariable?(name: string): boolean;
}

/** Text after expansion, and what could not be filled in. */
export interface Expanded {
  readonly text: string;
  /** The same text with placeholders in place of values that must not be shown. */
  readonly shown: string;
  /** The values that must not be shown. */
  readonly hidden: readonly string[];
  /** Names of variables that are not set. */
  readonly missing: readonly string[];
  /** Ids of values that a person would be asked for. */
  readonly inputs: readonly string[];
  /** Pieces that would have to be run; they never are here. */
  readonly dynamic: readonly string[];
}

/** What ends a placeholder. Where none follows, its patterns are not tried: each try would read the text to its end. */
type Closer = ")" | "}" | "}}";

/** Longer forms first: `${env:X}` must not be taken for a variable of that name. */
const PATTERNS: readonly (readonly [PlaceholderSyntax, string, Closer?])[] = [
  ["shell", String.raw`\$\((?<shell>[^)]*)\)`, ")"],
  ["env", String.raw`\$\{env:(?<env>[^}]+)\}`, "}"],
  ["foreign", String.raw`(?<foreign>\$?\{\{[^}]*\}\})`, "}}"],
  ["foreign", String.raw`(?<userConfig>\$\{user_config\.[^}]+\})`, "}"],
  ["input", String.raw`\$\{input:(?<input>[^}]+)\}`, "}"],
  ["keychain", String.raw`\$\{keychain:(?<keychain>[^}]+)\}`, "}"],
  ["file", String.raw`\$\{file:(?<file>[^}]+)\}`, "}"],
  [
    "folders",
    String.raw`\$\{(?<folders>workspaceFolderBasename|workspaceFolder|userHome|pathSeparator|\/)\}`,
    "}",
  ],
  ["default", String.raw`\$\{(?<named>[^}:]+):-(?![^}]*\$\{)(?<fallback>[^}]*)\}`, "}"],
  ["braced", String.raw`\$\{(?<braced>[^}:]+)\}`, "}"],
  // A default inside a default, another tool's form: nothing here can fill it in.
  ["braced", String.raw`\$\{(?<unknown>[^}]*)\}`, "}"],
  ["curlyEnv", String.raw`\{env:(?<curlyEnv>[^}]+)\}`, "}"],
  ["curlyFile", String.raw`\{file:(?<curlyFile>[^}]+)\}`, "}"],
  ["dollarEnv", String.raw`\$env:(?<dollarEnv>[A-Za-z_]\w*)`],
  ["bare", String.raw`\$(?<bare>[A-Za-z_]\w*)`],
];

/** Fills in placeholders by the rules of the tool that owns the file. Pure; reads nothing. */
export function expand(text: string, rules: ExpansionRules, context: ExpansionContext, field = ""): Expanded {
  const missing: string[] = [];
  const inputs: string[] = [];
  const dynamic: string[] = [];
  const hidden: string[] = [];
  if (!isExpanded(field, rules)) return { text, shown: text, hidden, missing, inputs, dynamic };
  const unset = unsetIn(field, rules);

  const variable = (name: string, whole: string, fallback?: string): string => {
    const named =
      rules.names !== undefined && Object.hasOwn(rules.names, name) ? rules.names[name] : undefined;
    const value = named ?? (Object.hasOwn(context.variables, name) ? context.variables[name] : undefined);
    if (value !== undefined && (value !== "" || fallback === undefined || rules.emptyIsUnset !== true)) {
      const isShown = named !== undefined || context.showsVariable?.(name) === true;
      return isShown ? value : hide(value, fallback === undefined ? whole : `\${${name}}`);
    }
    if (fallback !== undefined) return fallback;
    missing.push(name);
    return unset === "empty" ? "" : whole;
  };

  let shown = "";
  let end = 0;
  let placeholder: string | undefined;
  const hide = (value: string, shownAs: string): string => {
    if (value !== "") hidden.push(value);
    placeholder = shownAs;
    return value;
  };

  let filled = "";
  for (const match of matchesIn(text, rules)) {
    placeholder = undefined;
    const value = valueOf(match);
    const before = text.slice(end, match.index);
    filled += before + value;
    shown += before + (placeholder ?? value);
    end = match.index + match[0].length;
  }
  const rest = text.slice(end);
  return { text: filled + rest, shown: shown + rest, hidden, missing, inputs, dynamic };

  function valueOf({ 0: whole, groups }: RegExpExecArray): string {
    const found: Readonly<Record<string, string | undefined>> = groups ?? {};
    const { shell, input, folders, named, fallback, unknown, given } = found;
    const foreign = found["foreign"] ?? found["userConfig"];
    if (given !== undefined) return rules.names?.[given] ?? whole;
    if (foreign !== undefined) {
      missing.push(foreign);
      return whole;
    }
    if (shell !== undefined) {
      dynamic.push(whole);
      return whole;
    }
    if (input !== undefined) {
      inputs.push(input);
      return whole;
    }
    if (unknown !== undefined) {
      missing.push(unknown);
      return whole;
    }
    if (folders === "userHome" && context.home === undefined) {
      missing.push(folders);
      return whole;
    }
    if (folders !== undefined) return folder(folders, context);
    if (named !== undefined) return variable(named, whole, fallback);
    const file = found["file"] ?? found["curlyFile"];
    if (file !== undefined) return held(context.files, `file:${file}`, { name: file, whole });
    const { keychain } = found;
    if (keychain !== undefined) {
      const secrets = mayHoldSecrets(field) ? context.secrets : undefined;
      return held(secrets, `keychain:${keychain}`, { name: keychain, whole });
    }
    const name =
      found["env"] ?? found["braced"] ?? found["curlyEnv"] ?? found["dollarEnv"] ?? found["bare"] ?? "";
    return variable(name, whole);
  }

  function held(
    map: ReadonlyMap<string, string> | undefined,
    what: string,
    { name, whole }: { readonly name: string; readonly whole: string },
  ): string {
    const content = map?.get(name);
    if (content !== undefined) return hide(content, whole);
    missing.push(what);
    return whole;
  }
}

export interface Placeholder {
  readonly whole: string;
  readonly index: number;
  readonly file?: string;
  readonly variable?: string;
  readonly secret?: string;
}

/** Everybody on the machine can see the arguments of a program, and addresses are written down everywhere. */
export function mayHoldSecrets(field: string): boolean {
  return /^(?:env|headers|oauth)(?:\.|$)/.test(field);
}

/** The placeholders in a text, with the file, the variable or the secret that each names. */
export function placeholdersIn(text: string, rules: ExpansionRules): Placeholder[] {
  return [...matchesIn(text, rules)].map(({ 0: whole, index, groups = {} }) => {
    const file = groups["file"] ?? groups["curlyFile"];
    const variable =
      groups["env"] ?? groups["braced"] ?? groups["curlyEnv"] ?? groups["dollarEnv"] ?? groups["bare"];
    const secret = groups["keychain"];
    return {
      whole,
      index,
      ...(file !== undefined && { file }),
      ...(variable !== undefined && { variable }),
      ...(secret !== undefined && { secret }),
    };
  });
}

/** What an unset variable gives in that field. */
export function unsetIn(field: string, { unset, unsetInEnv }: ExpansionRules): "literal" | "empty" {
  return field.startsWith("env") ? (unsetInEnv ?? unset) : unset;
}

/** Does the tool that owns the file fill in placeholders there? */
export function isExpanded(field: string, { fields }: ExpansionRules): boolean {
  return fields === undefined || fields.includes(field.split(".")[0] ?? field);
}

/** The placeholders in a text, in order. */
function* matchesIn(text: string, rules: ExpansionRules): Generator<RegExpExecArray> {
  if (rules.syntaxes.length === 0 && Object.keys(rules.names ?? {}).length === 0) return;
  const lastParenthesis = text.lastIndexOf(")");
  let brace = text.indexOf("}");
  const opener = /[${]/g; // every placeholder begins with one of them
  for (let start = opener.exec(text); start !== null; start = opener.exec(text)) {
    const { index } = start;
    if (brace !== -1 && brace < index) brace = text.indexOf("}", index);
    const closers: Closer[] = [];
    if (index < lastParenthesis) closers.push(")");
    if (brace !== -1) closers.push("}");
    if (brace !== -1 && text[brace + 1] === "}") closers.push("}}");
    const pattern = patternOf(rules, closers);
    pattern.lastIndex = index;
    const match = pattern.exec(text);
    if (match === null) continue;
    opener.lastIndex = index + match[0].length;
    yield match;
  }
}

/** Compiled patterns by the closers that they may end with. */
const patternsOf = memoize((_: ExpansionRules) => new Map<string, RegExp>());

function patternOf(rules: ExpansionRules, closers: readonly Closer[]): RegExp {
  const key = closers.join(" ");
  const ofRules = patternsOf(rules);
  const known = ofRules.get(key);
  if (known !== undefined) return known;
  const names = Object.keys(rules.names ?? {});
  const parts = PATTERNS.filter(
    ([syntax, , closer]) =>
      rules.syntaxes.includes(syntax) && (closer === undefined || closers.includes(closer)),
  ).map(([, source]) => source);
  // Names with a value of their own count also where the environment is never asked.
  const given = names.length === 0 ? [] : [String.raw`\$\{(?<given>${names.map(literally).join("|")})\}`];
  const sources = [...given, ...parts];
  const pattern = new RegExp(sources.length === 0 ? "(?!)" : sources.join("|"), "y");
  ofRules.set(key, pattern);
  return pattern;
}

function literally(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

function folder(name: string, { home, workspaceFolder, pathSeparator }: ExpansionContext): string {
  switch (name) {
    case "userHome":
      return home ?? "";
    case "workspaceFolder":
      return workspaceFolder;
    case "workspaceFolderBasename":
      return workspaceFolder.split(/[\\/]/).findLast((part) => part !== "") ?? "";
    default:
      return pathSeparator;
  }
}

/** What stands in a text for a value that is not set. Another tool's placeholder, such as `${{ secrets.A }}`, is given whole. */
export function placeholder(name: string): string {
  return /[{}]/.test(name) ? name : `\${${name}}`;
}
