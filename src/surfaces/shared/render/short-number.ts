/** Formats a number in a few characters: `950`, `4.4k`, `46k`. */
export function shortNumber(value: number): string {
  return value < 1_000 ? String(value) : `${(value / 1_000).toFixed(value < 10_000 ? 1 : 0)}k`;
}
