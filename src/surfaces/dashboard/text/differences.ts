/** A part of a text that is in both versions, or in one of them. */
export interface Piece {
  readonly kind: "same" | "removed" | "added";
  readonly text: string;
}

/** Larger differences are shown as the whole text before and after. */
const MOST_CELLS = 1_500_000;
const TOKEN = /[\p{L}\p{N}_]+|\n|[^\S\n]+|[^\p{L}\p{N}_\s]/gu;

/** Compares two texts by lines, and changed lines by words. The pieces, without those of the other version, are exactly each text. */
export function differences(before: string, after: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let [removed, added]: [string[], string[]] = [[], []];
  const flush = (): void => {
    const [old, fresh] = [removed, added];
    const pairs = Math.min(old.length, fresh.length);
    for (let index = 0; index < pairs; index += 1)
      pieces.push(...compare(tokensOf(old[index] ?? ""), tokensOf(fresh[index] ?? "")));
    pieces.push(...replaced(old.slice(pairs), fresh.slice(pairs)));
    [removed, added] = [[], []];
  };
  for (const piece of compare(linesOf(before), linesOf(after))) {
    if (piece.kind === "removed") removed.push(...linesOf(piece.text));
    else if (piece.kind === "added") added.push(...linesOf(piece.text));
    else {
      flush();
      pieces.push(piece);
    }
  }
  flush();
  return joined(pieces);
}

function compare(old: readonly string[], fresh: readonly string[]): readonly Piece[] {
  let start = 0;
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start += 1;
  let end = 0;
  const most = Math.min(old.length, fresh.length) - start;
  while (end < most && old[old.length - 1 - end] === fresh[fresh.length - 1 - end]) end += 1;
  const [left, right] = [old.slice(start, old.length - end), fresh.slice(start, fresh.length - end)];
  return [
    { kind: "same", text: old.slice(0, start).join("") },
    ...(left.length * right.length > MOST_CELLS ? replaced(left, right) : longestCommon(left, right)),
    { kind: "same", text: old.slice(old.length - end).join("") },
  ];
}

/** The lines, each with the line break that ends it. */
function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+/g) ?? [];
}

function tokensOf(text: string): readonly string[] {
  return text.match(TOKEN) ?? (text === "" ? [] : [text]);
}

function replaced(left: readonly string[], right: readonly string[]): readonly Piece[] {
  return [
    { kind: "removed", text: left.join("") },
    { kind: "added", text: right.join("") },
  ];
}

/** Keeps the longest common subsequence. */
function longestCommon(left: readonly string[], right: readonly string[]): readonly Piece[] {
  const width = right.length + 1;
  const lengths = new Uint32Array((left.length + 1) * width);
  for (let row = left.length - 1; row >= 0; row -= 1)
    for (let column = right.length - 1; column >= 0; column -= 1)
      lengths[row * width + column] =
        left[row] === right[column]
          ? (lengths[(row + 1) * width + column + 1] ?? 0) + 1
          : Math.max(lengths[(row + 1) * width + column] ?? 0, lengths[row * width + column + 1] ?? 0);
  const pieces: Piece[] = [];
  let [row, column] = [0, 0];
  while (row < left.length || column < right.length) {
    const [removed, added] = [left[row], right[column]];
    if (removed !== undefined && removed === added) {
      pieces.push({ kind: "same", text: removed });
      row += 1;
      column += 1;
    } else if (
      added === undefined ||
      (removed !== undefined &&
        (lengths[(row + 1) * width + column] ?? 0) >= (lengths[row * width + column + 1] ?? 0))
    ) {
      pieces.push({ kind: "removed", text: removed ?? "" });
      row += 1;
    } else {
      pieces.push({ kind: "added", text: added });
      column += 1;
    }
  }
  return pieces;
}

/** Joins neighbours of the same kind, and puts removed parts before added ones. */
function joined(pieces: readonly Piece[]): readonly Piece[] {
  const result: Piece[] = [];
  let [removed, added] = ["", ""];
  const flush = (): void => {
    if (removed !== "") result.push({ kind: "removed", text: removed });
    if (added !== "") result.push({ kind: "added", text: added });
    removed = added = "";
  };
  for (const { kind, text } of pieces) {
    if (text === "") continue;
    if (kind === "removed") removed += text;
    else if (kind === "added") added += text;
    else {
      flush();
      const last = result.at(-1);
      if (last?.kind === "same") result[result.length - 1] = { kind, text: last.text + text };
      else result.push({ kind, text });
    }
  }
  flush();
  return result;
}
