const MOST_NAMES = 12;

/** Lists names for a message: the first ones, and how many more there are. */
export function someNames(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMES).join(", ");
  return names.length > MOST_NAMES ? `${shown} and ${names.length - MOST_NAMES} more` : shown;
}
