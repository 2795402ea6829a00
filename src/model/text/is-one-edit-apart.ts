/** Returns whether two words differ by one wrong, missing or extra letter, or by two swapped letters. */
export function isOneEditApart(word: string, term: string): boolean {
  if (Math.abs(word.length - term.length) > 1) return false;
  let start = 0;
  while (start < word.length && word[start] === term[start]) start += 1;
  let end = 0;
  while (
    end < Math.min(word.length, term.length) - start &&
    word[word.length - 1 - end] === term[term.length - 1 - end]
  )
    end += 1;
  const [left, right] = [word.slice(start, word.length - end), term.slice(start, term.length - end)];
  if (left.length <= 1 && right.length <= 1) return true;
  return left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0];
}
