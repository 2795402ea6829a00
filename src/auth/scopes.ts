/** Words of both, each once, in the order they came. */
export function scopeUnion(...scopes: readonly (string | undefined)[]): string | undefined {
  const words = new Set(scopes.flatMap((scope) => scope?.split(/\s+/).filter(Boolean) ?? []));
  return words.size === 0 ? undefined : [...words].join(" ");
}

/** Is every word of the first in the second? */
export function scopeWithin(inner: string | undefined, outer: string | undefined): boolean {
  return scopeUnion(outer, inner)?.length === scopeUnion(outer)?.length;
}
