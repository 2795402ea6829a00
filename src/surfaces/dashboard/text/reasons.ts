/** The reason for a server's state, without the parts that are shown beside it: `Failed to connect to "files": the process exited`. */
export function shortReason(server: string, because: string): string {
  const prefix = `Failed to connect to "${server}": `;
  const text = because.startsWith(prefix) ? because.slice(prefix.length) : because;
  return text.charAt(0).toUpperCase() + text.slice(1);
}
