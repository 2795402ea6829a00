/** What the first word of `add` names, if it is not a name for a command or a URL that follows. */
export type AddSource =
  | { readonly kind: "registry"; readonly name: string; readonly version: string | undefined }
  | { readonly kind: "link"; readonly link: string };

/** Recognises a registry name such as `io.github.acme/weather@1.0.0`, and an install link of another tool. */
export function readAddSource(word: string): AddSource | undefined {
  if (/^(?:vscode|vscode-insiders|cursor):/i.test(word)) return { kind: "link", link: word };
  const [, name, version] = /^([\w.-]+\.[\w.-]+\/[\w.-]+)(?:@([\w.+-]+))?$/.exec(word) ?? [];
  return name === undefined ? undefined : { kind: "registry", name, version };
}
