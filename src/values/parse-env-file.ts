/** `NAME=value` lines: quotes are taken off, `#` lines and `export ` in front are skipped. No expansion. */
export function parseEnvFile(text: string): Map<string, string> {
  const values = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    const match = /^\s*(?:export\s+)?([A-Za-z_][\w.]*)\s*=\s*(.*?)\s*$/.exec(line);
    const [, name, value] = match ?? [];
    if (name !== undefined && value !== undefined) values.set(name, unquote(value));
  }
  return values;
}

function unquote(value: string): string {
  const quoted = /^(["'])(.*)\1$/.exec(value);
  if (quoted === null) return value.replace(/\s+#.*$/, "");
  const [, quote, inner = ""] = quoted;
  return quote === '"' ? inner.replaceAll("\\n", "\n").replaceAll('\\"', '"') : inner;
}
