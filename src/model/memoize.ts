/** Wraps a function so that it runs once per argument object. Use it only with objects that never change. */
export function memoize<K extends object, V extends {}>(compute: (key: K) => V): (key: K) => V {
  const known = new WeakMap<K, V>();
  return (key) => {
    const value = known.get(key);
    if (value !== undefined) return value;
    const computed = compute(key);
    known.set(key, computed);
    return computed;
  };
}
