import type { Style } from "../../../shared/render/style.ts";
import { paintPatchLine } from "./patch.ts";

/** Colours the lines of a code block, one after another. */
export type PaintCode = (line: string) => string;

/** How to recognize the parts of a language. Approximate, but fast, and never wrong about the text itself. */
interface Language {
  readonly lineComments: readonly string[];
  readonly blockComment?: readonly [open: string, close: string];
  readonly quotes: readonly string[];
  /** Quotes whose text may continue on the next line. */
  readonly longQuotes?: readonly string[];
  readonly keywords: ReadonlySet<string>;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));
const C_COMMENTS = { lineComments: ["//"], blockComment: ["/*", "*/"] as const };
const LIKE_C: Language = {
  ...C_COMMENTS,
  quotes: ['"', "'"],
  longQuotes: ["`"],
  keywords: words(
    "abstract as async await auto bool boolean break case catch char class const constexpr continue crate default defer def delete do double else enum export extends extern false final finally float fn for func function go goto if impl implements import in instanceof int interface is let long loop match mod module mut namespace new nil none not null object of operator override package private protected pub public readonly return self short signed sizeof static string struct super switch template this throw throws trait true try type typedef typeof undefined unsigned use using val var virtual void volatile where while with yield",
  ),
};
const PYTHON: Language = {
  lineComments: ["#"],
  quotes: ['"', "'"],
  longQuotes: ['"""', "'''"],
  keywords: words(
    "False None True and as assert async await begin break class continue def del do elif else elsif end except finally for from global if import in is lambda match module nil nonlocal not or pass raise require rescue return self then try unless until when while with yield",
  ),
};
const SHELL: Language = {
  lineComments: ["#"],
  quotes: ['"', "'"],
  keywords: words(
    "case cd do done echo elif else esac exit export fi for function if in local return set then unset while",
  ),
};
const DATA: Language = {
  lineComments: ["#", "//"],
  quotes: ['"', "'"],
  keywords: words("true false null yes no on off"),
};
const SQL: Language = {
  lineComments: ["--"],
  blockComment: ["/*", "*/"],
  quotes: ["'", '"'],
  keywords: words(
    "add alter and as asc begin by case commit constraint create cross default delete desc distinct drop else end exists foreign from full group having if in index inner insert into is join key left like limit not null offset on or order outer primary references right rollback select set table then union unique update values view when where with",
  ),
};
const MARKUP: Language = {
  lineComments: [],
  blockComment: ["<!--", "-->"],
  quotes: ['"', "'"],
  keywords: new Set(),
};

const LANGUAGES: readonly (readonly [names: RegExp, language: Language])[] = [
  [
    /^(?:[cm]?[jt]sx?|javascript|typescript|java|c|h|cc|cpp|c\+\+|cs|csharp|go|rs|rust|swift|kt|kotlin|php|scala|dart|zig)$/,
    LIKE_C,
  ],
  [/^(?:py|python|rb|ruby|lua|elixir|ex|r)$/, PYTHON],
  [/^(?:sh|bash|zsh|shell|console|dockerfile|docker|make|makefile|fish|powershell|ps1)$/, SHELL],
  [/^(?:json|jsonc|json5|ya?ml|toml|ini|env|properties|hcl|tf)$/, DATA],
  [/^(?:sql|postgres|postgresql|mysql|sqlite|plsql)$/, SQL],
  [/^(?:html?|xml|svg|vue|svelte)$/, MARKUP],
  [/^(?:css|scss|less)$/, { ...LIKE_C, keywords: new Set() }],
];

/** Longer lines are not coloured. */
const MOST_LETTERS = 2_000;

/** Returns a function that colours code of this language; unknown languages stay as they are. */
export function createHighlighter(language: string, style: Style): PaintCode {
  const name = language.toLowerCase();
  if (name === "diff" || name === "patch") return (line) => paintPatchLine(line, style);
  const known = LANGUAGES.find(([names]) => names.test(name))?.[1];
  if (known === undefined) return (line) => line;
  /** What ends the comment or text that an earlier line opened. */
  let open: { readonly close: string; readonly paint: (text: string) => string } | undefined;
  return (line) => {
    if (line.length > MOST_LETTERS) return line;
    let shown = "";
    let at = 0;
    /** Takes everything up to the end of a comment or text. */
    const takeUntil = (
      close: string,
      paint: (text: string) => string,
      from: number,
      isLong: boolean,
    ): void => {
      const end = endOf(line, close, from);
      open = end === undefined && isLong ? { close, paint } : undefined;
      const to = end ?? line.length;
      shown += paint(line.slice(at, to));
      at = to;
    };
    if (open !== undefined) takeUntil(open.close, open.paint, 0, true);
    while (at < line.length) {
      const rest = line.slice(at);
      const [blockOpen, blockClose] = known.blockComment ?? [];
      const isWordStart = at === 0 || /[\s;({[,]/.test(line[at - 1] ?? "");
      const longQuote = known.longQuotes?.find((quote) => rest.startsWith(quote));
      const quote = known.quotes.find((each) => rest.startsWith(each));
      if (blockOpen !== undefined && blockClose !== undefined && rest.startsWith(blockOpen))
        takeUntil(blockClose, style.dim, at + blockOpen.length, true);
      else if (isWordStart && known.lineComments.some((mark) => rest.startsWith(mark))) {
        shown += style.dim(rest);
        at = line.length;
      } else if (longQuote !== undefined) takeUntil(longQuote, style.good, at + longQuote.length, true);
      else if (quote !== undefined) takeUntil(quote, style.good, at + 1, false);
      else {
        const token = /^(?:[A-Za-z_$][\w$]*|\d[\w.]*|[^\w$"'`/#<-]+|.)/.exec(rest)?.[0] ?? rest;
        shown += paintToken(token, known, style);
        at += token.length;
      }
    }
    return shown;
  };
}

function paintToken(token: string, { keywords }: Language, style: Style): string {
  if (/^\d/.test(token)) return style.warn(token);
  return keywords.has(token) || keywords.has(token.toLowerCase()) ? style.name(token) : token;
}

/** Returns the index after the closing mark, without those that a backslash escapes. */
function endOf(line: string, close: string, from: number): number | undefined {
  for (let index = from; index < line.length; index += 1) {
    if (line[index] === "\\") index += 1;
    else if (line.startsWith(close, index)) return index + close.length;
  }
  return undefined;
}
