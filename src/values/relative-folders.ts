import { posix, win32 } from "node:path";
import type { ExpansionRules } from "../model/index.ts";
import { folderSeparator, isFolderList, mayBeFolderList } from "../platform/index.ts";
import { placeholdersIn } from "./expand.ts";
import { sourceOf } from "./value-source.ts";

interface FilledFolders {
  /** `undefined` if no folder is left. An empty PATH would mean the working folder. */
  readonly text: string | undefined;
  /** How many parts were removed. */
  readonly dropped: number;
}

/**
 * Removes empty and relative parts from an expanded folder list such as PATH if the expansion created them: they
 * would let the working folder choose what runs. Parts that the entry itself contains are kept.
 */
export function dropRelativeFolders(
  name: string,
  { declared, filled }: { readonly declared: string; readonly filled: string },
  rules: ExpansionRules,
  platform: string,
): FilledFolders {
  const separator = folderSeparator(platform);
  const { isAbsolute } = platform === "win32" ? win32 : posix;
  const isSource = rules.secretValues === true && sourceOf(declared) !== undefined;
  const written = isSource ? [] : withoutPlaceholders(declared, rules).split(separator);
  const isList = isFolderList(name, platform) || (mayBeFolderList(name) && isWrittenAsList(written));
  if (!isList || filled === declared) return { text: filled, dropped: 0 };
  const parts = filled.split(separator);
  // A single part that was replaced was a variable's name.
  const kept = parts.filter((part) => isAbsolute(part) || (written.length > 1 && written.includes(part)));
  const text = kept.length === 0 ? undefined : kept.join(separator);
  return { text, dropped: parts.length - kept.length };
}

const FILLED_IN = "\0";

function withoutPlaceholders(text: string, rules: ExpansionRules): string {
  let result = "";
  let end = 0;
  for (const { whole, index } of placeholdersIn(text, rules)) {
    result += text.slice(end, index) + FILLED_IN;
    end = index + whole.length;
  }
  return result + text.slice(end);
}

/** A URL such as `https://host` also contains the separator. */
function isWrittenAsList(parts: readonly string[]): boolean {
  return parts.length > 1 && !parts.some((part) => part.startsWith("//"));
}
