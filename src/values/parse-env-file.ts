/** No env file has more. A project's file is read, and its names are shown, before anything is approved. */
const MOST_VARIABLES = 1_000;
const MOST_LINES = 20_000;

/**
 * `NAME=value` lines: quotes are taken off, `#` lines and `export ` in front are skipped. No expansion. Throws if the text is too long
 * to be an env file.
 */
export function parseEnvFile(text: string): Map<string, string> {
  const values = new Map<string, string>();
  const lines = text.split(/\r?\n/, MOST_LINES + 1);
  if (lines.length > MOST_LINES) throw new Error("it has more than 20,000 lines");
  for (const line of lines) {
    const [, name, value] = /^\s*(?:export\s+)?([A-Za-z_][\w.]*)\s*=([^]*)$/.exec(line) ?? [];
    if (name !== undefined && value !== undefined) values.set(name, unquote(value.trim()));
    if (values.size > MOST_VARIABLES) throw new Error("it has more than 1,000 variables");
  }
  return values;
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", '"': '"', "\\": "\\" };

/** Escapes count in double quotes only; a comment may follow. */
function unquote(value: string): string {
  const [, double] = /^"((?:[^"\\]|\\.)*)"(?:\s+#.*)?$/.exec(value) ?? [];
  if (double !== undefined) return double.replace(/\\(.)/g, (whole, char: string) => ESCAPES[char] ?? whole);
  const [, single] = /^'([^']*)'(?:\s+#.*)?$/.exec(value) ?? [];
  const comment = value.search(/\s#/);
  return single ?? (comment === -1 ? value : value.slice(0, comment).trimEnd());
}
