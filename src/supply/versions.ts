/** The parts of a semantic version that decide its order. */
interface Version {
  readonly numbers: readonly bigint[];
  readonly labels: readonly string[];
}

const LONGEST = 256;

function parse(text: string): Version | undefined {
  if (text.length > LONGEST) return undefined;
  const [, numbers, labels] =
    /^[v=\s]*(\d+(?:\.\d+)*)(?:-([0-9A-Za-z.-]+))?(?:\+.*)?$/.exec(text.trim()) ?? [];
  if (numbers === undefined) return undefined;
  return { numbers: numbers.split(".").map(BigInt), labels: labels === undefined ? [] : labels.split(".") };
}

/** Returns a negative number if `left` is older, a positive one if it is newer. Returns `undefined` if one is not a version. */
export function compareVersions(left: string, right: string): number | undefined {
  const [one, other] = [parse(left), parse(right)];
  if (one === undefined || other === undefined) return undefined;
  for (let at = 0; at < Math.max(one.numbers.length, other.numbers.length); at += 1) {
    const [a, b] = [one.numbers[at] ?? 0n, other.numbers[at] ?? 0n];
    if (a !== b) return a < b ? -1 : 1;
  }
  // A version without a label is newer than one with a label.
  if (one.labels.length === 0 || other.labels.length === 0)
    return Math.sign(other.labels.length - one.labels.length);
  for (let at = 0; at < Math.max(one.labels.length, other.labels.length); at += 1) {
    const order = compareLabels(one.labels[at], other.labels[at]);
    if (order !== 0) return order;
  }
  return 0;
}

function compareLabels(left: string | undefined, right: string | undefined): number {
  if (left === right) return 0;
  if (left === undefined) return -1;
  if (right === undefined) return 1;
  const [a, b] = [left, right].map((label) => (/^\d+$/.test(label) ? BigInt(label) : undefined));
  if (a !== undefined && b !== undefined) return a === b ? 0 : a < b ? -1 : 1;
  if (a !== undefined || b !== undefined) return a !== undefined ? -1 : 1;
  return left < right ? -1 : 1;
}
