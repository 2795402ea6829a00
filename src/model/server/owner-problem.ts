/**
 * Why the tool that owns a file would object to it. Each text follows the tool's name ("Codex …"). A test pins the
 * codes.
 */
export const OWNER_PROBLEMS = {
  "empty-file": "finds no servers because the file is empty",
  "json-syntax": "rejects this file: it requires strict JSON",
  "toml-syntax": "rejects this file: it is not valid TOML",
  "yaml-syntax": "rejects this file: it is not valid YAML",
  "encoding-utf16": "cannot read UTF-16",
  "not-an-object": "expects an object here",
  "wrong-top-level-key": "reads another top-level key and finds no servers here",
  "duplicate-key": "uses the last of two duplicate keys",
  "file-fatal": "rejects the whole file because of one invalid entry",
  "missing-command": "requires a command",
  "missing-url": "requires a url",
  "missing-type": "requires a type",
  "missing-required-field": "requires a field that is missing",
  "url-without-type": "skips entries that have a url but no type",
  "unknown-type": "does not support this type",
  "command-and-url": "does not accept a command and a url together",
  "bad-field-type": "expects another type of value here",
  "unsupported-field": "does not support one of this entry's fields",
  "unsupported-transport": "does not support this transport",
  "reserved-name": "reserves this name",
  "invalid-name": "does not accept this name",
  "invalid-command-path": "does not accept this command",
  "bad-url": "does not accept this url",
  "unresolved-var": "cannot resolve a variable because it is not set",
  "timeout-unit-suspicious": "reads this timeout in another unit than the value suggests",
  "partial-overlay": "uses this entry only to override an entry in another file",
  "remote-block-reference": "fetches this block from its hub",
  "extension-managed": "starts this server through an extension",
  "builtin-extension": "has this extension built in",
  "working-folder-path": "resolves relative paths from its working folder, not from this file's folder",
  "working-folder-only": "reads this file only in its working folder, not in parent folders",
  "static-hint-only": "runs this file as a script; Plugboard only reads the values that it can recognize",
} as const;

/** The code of an objection that the tool that owns a file would have. */
export type OwnerProblemCode = keyof typeof OWNER_PROBLEMS;
