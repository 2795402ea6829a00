/** `NAME=value` lines: quotes are taken off, `#` lines and `export ` in front are skipped. No expansion. */
export function parseEnvFile(text: string): Map<string, string> {
  const values = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    const [, name, value] = /^\s*(?:export\s+)?([A-Za-z_][\w.]*)\s*=([^]*)$/.exec(line) ?? [];
    if (name !== undefined && value !== undefined) values.set(name, unquote(value.trim()));
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
