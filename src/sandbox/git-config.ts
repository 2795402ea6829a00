/** One setting of a git config file. The key is in lower case and without the name of a subsection: `filter.clean`. */
export interface GitSetting {
  readonly key: string;
  readonly value: string;
}

/** A section, and what follows it on its line. */
const SECTION = /^\s*\[\s*([\w-]+)[^\]"]*(?:"(?:[^"\\]|\\.)*"\s*)?\](.*)$/;
const SETTING = /^\s*([a-z][a-z0-9-]*)\s*=\s*(.*)$/i;
const PARTS = /"((?:[^"\\]|\\.)*)"?|\\(.)|([#;].*)|([^"\\#;]+)/g;

/** Reads a git config file, or a `.gitmodules`. Skips what is invalid. */
export function readGitConfig(text: string): GitSetting[] {
  let section = "";
  return text
    .replaceAll(/\\\r?\n/g, "")
    .split(/\r?\n/)
    .flatMap((line) => {
      const [, name, rest = line] = SECTION.exec(line) ?? [];
      if (name !== undefined) section = name.toLowerCase();
      const [, key, value = ""] = SETTING.exec(rest) ?? [];
      return key === undefined ? [] : [{ key: `${section}.${key.toLowerCase()}`, value: unquoted(value) }];
    });
}

function unquoted(text: string): string {
  return text
    .replace(PARTS, (_, quoted?: string, escaped?: string, comment?: string, plain?: string) =>
      comment === undefined ? (quoted?.replaceAll(/\\(.)/g, "$1") ?? escaped ?? plain ?? "") : "",
    )
    .trim();
}
