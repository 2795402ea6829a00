/** What the first word of `add` names, if it is not a name for a command or a URL that follows. */
export type AddSource =
  | { readonly kind: "registry"; readonly name: string; readonly version: string | undefined }
  | { readonly kind: "link"; readonly link: string }
  | { readonly kind: "mcpb"; readonly file: string }
  | { readonly kind: "site"; readonly address: string };

/** Links of the editors, and the pages of their websites that open them. READMEs have the latter. */
const INSTALL_LINK =
  /^(?:(?:vscode|vscode-insiders|cursor):|https:\/\/(?:insiders\.)?vscode\.dev\/redirect[/?]|https:\/\/(?:www\.)?cursor\.com\/(?:[\w-]+\/)?install-mcp\?)/i;

/**
 * Recognises a bundle, an install link of another tool, a registry name such as `io.github.acme/weather@1.0.0`, and a website. Registry
 * names come before websites, so the URL of a page needs `https://`.
 */
export function readAddSource(word: string): AddSource | undefined {
  if (INSTALL_LINK.test(word)) return { kind: "link", link: word };
  if (/^https?:\/\//i.test(word)) return { kind: "site", address: word };
  if (/\.(?:mcpb|dxt)$/i.test(word)) return { kind: "mcpb", file: word };
  const [, name, version] = /^([\w.-]+\.[\w.-]+\/[\w.-]+)(?:@([\w.+-]+))?$/.exec(word) ?? [];
  if (name !== undefined) return { kind: "registry", name, version };
  const isSite = /^(?:[\w-]+\.)+[a-z]{2,}(?::\d+)?$/i.test(word);
  return isSite ? { kind: "site", address: word } : undefined;
}
