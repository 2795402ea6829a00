/** The reason for a server's state, without the parts that are shown beside it: `Failed to connect to "files": the process exited`. */
export function shortReason(server: string, because: string): string {
  const prefix = `Failed to connect to "${server}": `;
  const text = because.startsWith(prefix) ? because.slice(prefix.length) : because;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The rule that decided about a call, in words for a person. */
export function ruleText(rule: string): string {
  return rule === "user tier" ? "the server is defined in your own config files" : rule;
}
