import { type ExpansionRules, memoize, type PlaceholderSyntax } from "../model/index.ts";

/** The values for placeholders. */
export interface ExpansionContext {
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** If `undefined`, `${userHome}` stays unresolved. */
  readonly home: string | undefined;
  readonly workspaceFolder: string;
  readonly pathSeparator: string;
  /** The contents of files in `{file:…}`, by the path as written. */
  readonly files?: ReadonlyMap<string, string>;
  /** The stored secrets in `${keychain:…}`. */
  readonly secrets?: ReadonlyMap<string, string>;
  /** The stored values of `${input:…}`. */
  readonly inputs?: ReadonlyMap<string, { readonly text: string; readonly isSecret: boolean }>;
  /** Returns whether a variable's value may be displayed. If omitted, no value is displayed. */
  showsVariable?(name: string): boolean;
}

/** Text after expansion, and the placeholders that could not be expanded. */
export interface Expanded {
  readonly text: string;
  /** The text as displayed, with placeholders instead of hidden values. */
  readonly shown: string;
  /** The values that must not be displayed. */
  readonly hidden: readonly string[];
  /** The names of variables that are not set. */
  readonly missing: readonly string[];
  /** The ids of values that the user would have to enter. */
  readonly inputs: readonly string[];
  /** Command substitutions. They are never run here. */
  readonly dynamic: readonly string[];
}

/** The end of a placeholder. If it is absent, the patterns are skipped, because each would scan the text to its end. */
type Closer = ")" | "}" | "}}";

/** Longer forms first: `${env:X}` must not match as a variable name. */
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
  // Nested defaults are another tool's syntax and cannot be expanded.
  ["braced", String.raw`\$\{(?<unknown>[^}]*)\}`, "}"],
  ["curlyEnv", String.raw`\{env:(?<curlyEnv>[^}]+)\}`, "}"],
  ["curlyFile", String.raw`\{file:(?<curlyFile>[^}]+)\}`, "}"],
  ["dollarEnv", String.raw`\$env:(?<dollarEnv>[A-Za-z_]\w*)`],
  ["bare", String.raw`\$(?<bare>[A-Za-z_]\w*)`],
];

/** Expands placeholders by the rules of the tool that owns the file. Pure: reads nothing. */
export function expand(text: string, rules: ExpansionRules, context: ExpansionContext, field = ""): Expanded {
  const missing: string[] = [];
  const inputs: string[] = [];
  const dynamic: string[] = [];
  const hidden: string[] = [];
  if (!isExpanded(field, rules)) return { text, shown: text, hidden, missing, inputs, dynamic };
  const unset = unsetRuleFor(field, rules);

  const variable = (name: string, whole: string, fallback?: string): string => {
    const named =
      rules.names !== undefined && Object.hasOwn(rules.names, name) ? rules.names[name] : undefined;
    const value = named ?? (Object.hasOwn(context.variables, name) ? context.variables[name] : undefined);
    if (value !== undefined && (value !== "" || fallback === undefined || rules.emptyIsUnset !== true)) {
      const isShown =
        named === undefined ? context.showsVariable?.(name) === true : rules.hidesNames !== true;
      return isShown ? value : hide(value, fallback === undefined ? whole : `\${${name}}`);
    }
    if (fallback !== undefined) return fallback;
    missing.push(name);
    return unset === "empty" ? "" : whole;
  };

  let shown = "";
  let end = 0;
  let formatPlaceholder: string | undefined;
  const hide = (value: string, shownAs: string): string => {
    if (value !== "") hidden.push(value);
    formatPlaceholder = shownAs;
    return value;
  };

  let filled = "";
  for (const match of matchesIn(text, rules)) {
    formatPlaceholder = undefined;
    const value = valueOf(match);
    const before = text.slice(end, match.index);
    filled += before + value;
    shown += before + (formatPlaceholder ?? value);
    end = match.index + match[0].length;
  }
  const rest = text.slice(end);
  return { text: filled + rest, shown: shown + rest, hidden, missing, inputs, dynamic };

  function valueOf({ 0: whole, groups }: RegExpExecArray): string {
    const found: Readonly<Record<string, string | undefined>> = groups ?? {};
    const { shell, input, folders, named, fallback, unknown, given } = found;
    const foreign = found["foreign"] ?? found["userConfig"];
    if (given !== undefined) return variable(given, whole);
    if (foreign !== undefined) {
      missing.push(foreign);
      return whole;
    }
    if (shell !== undefined) {
      dynamic.push(whole);
      return whole;
    }
    if (input !== undefined) {
      const stored = context.inputs?.get(input);
      if (stored !== undefined && (!stored.isSecret || mayHoldSecrets(field)))
        return hide(stored.text, whole);
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
    if (file !== undefined) return lookUp(context.files, `file:${file}`, { name: file, whole });
    const { keychain } = found;
    if (keychain !== undefined) {
      const secrets = mayHoldSecrets(field) ? context.secrets : undefined;
      return lookUp(secrets, `keychain:${keychain}`, { name: keychain, whole });
    }
    const name =
      found["env"] ?? found["braced"] ?? found["curlyEnv"] ?? found["dollarEnv"] ?? found["bare"] ?? "";
    return variable(name, whole);
  }

  function lookUp(
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

/** Other users can see a program's arguments, and URLs are logged in many places, so neither may contain secrets. */
export function mayHoldSecrets(field: string): boolean {
  return /^(?:env|headers|oauth)(?:\.|$)/.test(field);
}

/** Returns the placeholders in a text, with the file, variable or secret of each. */
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

/** Returns what an unset variable expands to in this field. */
export function unsetRuleFor(field: string, { unset, unsetInEnv }: ExpansionRules): "literal" | "empty" {
  return field.startsWith("env") ? (unsetInEnv ?? unset) : unset;
}

/** Returns whether the tool that owns the file expands placeholders in this field. */
export function isExpanded(field: string, { fields }: ExpansionRules): boolean {
  return fields === undefined || fields.includes(field.split(".")[0] ?? field);
}

/** Yields the placeholders in a text, in order. */
function* matchesIn(text: string, rules: ExpansionRules): Generator<RegExpExecArray> {
  if (rules.syntaxes.length === 0 && Object.keys(rules.names ?? {}).length === 0) return;
  const lastParenthesis = text.lastIndexOf(")");
  let brace = text.indexOf("}");
  const opener = /[${]/g; // every placeholder starts with one of these
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

/** Compiled patterns by the closers that can end them. */
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
  // These names have their own values, so they are expanded even if no variable syntax is enabled.
  const given = names.length === 0 ? [] : [String.raw`\$\{(?<given>${names.map(escapeRegExp).join("|")})\}`];
  const sources = [...given, ...parts];
  const pattern = new RegExp(sources.length === 0 ? "(?!)" : sources.join("|"), "y");
  ofRules.set(key, pattern);
  return pattern;
}

function escapeRegExp(text: string): string {
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

/**
 * Formats the placeholder of an unset variable. Other tools' placeholders, such as `${{ secrets.A }}`, stay as they
 * are.
 */
export function placeholder(name: string): string {
  return /[{}]/.test(name) ? name : `\${${name}}`;
}
