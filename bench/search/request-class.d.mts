interface Described {
  readonly server: string;
  readonly tool: string;
  readonly title?: string;
  readonly description: string;
}

export function classify(
  text: string,
  tools: readonly Described[],
  areSynonyms: (one: string, other: string) => boolean,
): { readonly class: string | undefined; readonly because: string };
