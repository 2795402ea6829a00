/** Returns all scopes, without duplicates and in their original order. */
export function scopeUnion(...scopes: readonly (string | undefined)[]): string | undefined {
  const words = new Set(scopes.flatMap((scope) => scope?.split(/\s+/).filter(Boolean) ?? []));
  return words.size === 0 ? undefined : [...words].join(" ");
}

/** Returns whether `outer` contains every scope of `inner`. */
export function isScopeCovered(inner: string | undefined, outer: string | undefined): boolean {
  return scopeUnion(outer, inner)?.length === scopeUnion(outer)?.length;
}
