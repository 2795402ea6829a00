/** Text after expansion, and the names that had no value. */
export interface Expanded {
  readonly text: string;
  readonly missing: readonly string[];
}

type Variables = Readonly<Record<string, string | undefined>>;

/** `${VAR}` and `${VAR:-default}`; the default also stands in for an empty variable. What is unknown stays as written. */
export function expand(text: string, variables: Variables): Expanded {
  const missing: string[] = [];
  const expanded = text.replace(
    /\$\{([^}:]+)(?::-([^}]*))?\}/g,
    (whole, name: string, fallback: string | undefined) => {
      const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
      if (value !== undefined && (value !== "" || fallback === undefined)) return value;
      if (fallback !== undefined) return fallback;
      missing.push(name);
      return whole;
    },
  );
  return { text: expanded, missing };
}
