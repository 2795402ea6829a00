/** Positions in charts. Pure functions. */

/** The smallest of 1, 2 or 5 times a power of ten that is not below the value. */
export function roundUp(value: number): number {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 5, 10].find((factor) => factor * power >= value * 0.9999) ?? 10) * power || 1;
}

/** Values for horizontal lines, from zero to at least the highest value. */
export function ticks(highest: number, wanted = 3): readonly number[] {
  const step = Math.max(1, roundUp(highest / wanted));
  const lines = Math.max(1, Math.ceil(highest / step));
  return Array.from({ length: lines + 1 }, (_, index) => index * step);
}

/** Powers of ten (and their thirds) that cover the durations, for a logarithmic scale. */
export function logRange(values: readonly number[]): { readonly low: number; readonly high: number } {
  const positive = values.filter((value) => value > 0);
  const low = 10 ** Math.floor(Math.log10(Math.max(1, Math.min(...positive, 1_000_000))));
  const high = 10 ** Math.ceil(Math.log10(Math.max(10, ...positive)));
  return { low: Math.min(low, high / 10), high };
}

/** The position of a value between 0 and 1 on a logarithmic scale. */
export function logPosition(
  value: number,
  { low, high }: { readonly low: number; readonly high: number },
): number {
  const position = Math.log(Math.max(value, low) / low) / Math.log(high / low);
  return Math.min(1, Math.max(0, position));
}

/** Rounds for an SVG attribute. */
export const at = (value: number): number => Math.round(value * 10) / 10;

/** The indexes whose steps get a label, so that labels neither overlap nor leave the chart. */
export function labelSteps(steps: number, width: number, labelWidth: number): readonly number[] {
  const room = Math.max(1, Math.floor(width / labelWidth));
  const every =
    [1, 2, 4, 5, 8, 10, 12, 15, 16, 20, 24, 30, 48, 60].find((size) => steps / size <= room) ?? steps;
  return Array.from({ length: Math.ceil(steps / every) }, (_, index) => index * every).filter(
    (index) => (index / steps) * width + labelWidth <= width + 1,
  );
}
