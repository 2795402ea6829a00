/** Splits a URI template. Literal texts and expressions alternate; the first and the last piece are literal. */
export function splitTemplate(template: string): string[] {
  // There are no expressions after the last `}`, and a pattern would search for the end of every `{` there.
  const end = template.lastIndexOf("}") + 1;
  const pieces = template.slice(0, end).split(/\{([^}]*)\}/);
  const last = pieces.pop() ?? "";
  return [...pieces, last + template.slice(end)];
}

/** Returns the first variable of an expression such as `+path*` or `?query,page`. */
export function variableIn(expression: string): string {
  const [name = ""] = expression.replace(/^[+#./;?&]/, "").split(/[*:,]/, 1);
  return name;
}

/** Returns whether a URI may be the beginning of one that the template describes. Looks only at the template's beginning. */
export function mayBecome(uri: string, template: string): boolean {
  const [start = ""] = template.split("{", 1);
  return uri.startsWith(start) || start.startsWith(uri);
}
