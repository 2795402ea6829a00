/** Corrupts bytes the way disks, editors, merges and attackers do. The same seed gives the same bytes. */

const TOKENS = [
  '"__proto__":{"polluted":true},',
  '"constructor":{"prototype":{"polluted":true}},',
  "__proto__:\n  polluted: true\n",
  "__proto__.polluted = true\n",
  '[__proto__]\npolluted = true\n["constructor".prototype]\npolluted = true\n',
  ..."{ } [ ] [[ ]] : , \" ' ` # // /* */ = - ? | > & * ! % @ \\ \\u \\U \\x $ ${ } ${input:x} $(x)".split(
    " ",
  ),
  ...'null true 1e999 -0 0x1f .inf .nan 1979-05-27T07:32:00Z """ \'\'\' <<: *a &a ---\n ...\n "\\ud800" !!js !!binary'.split(
    " ",
  ),
  "\0",
  "\ufeff",
  "\r\n",
  "\t",
  " ".repeat(300),
  "[".repeat(300),
  '{"a":'.repeat(300),
  "- ".repeat(300),
];

/** Values that no tool expects where it finds them. */
const VALUES = [
  ...'null true false 0 -1 1.5 1e999 "" "x" "${X}" "!x" "http://[" [] {} [null] [[]] [1] ["",1]'.split(" "),
  '{"a":null}',
  '{"":[{}]}',
  '{"__proto__":{"polluted":true}}',
  '["x",{"command":["x"],"url":{}}]',
  '{"command":"x","url":"x","type":[],"env":[],"headers":"x","args":{}}',
];
/** A whole value as JSON, and mostly as TOML and YAML, write it. */
const VALUE = /"(?:[^"\\\n]|\\.)*"|\btrue\b|\bfalse\b|\bnull\b|-?\b\d+\b|\[[^[\]]*\]|\{[^{}]*\}/g;

/** Numbers from 0 up to 1 (mulberry32). */
export function createRandom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const MUTATIONS = {
  retype(bytes, at, { random }) {
    const text = bytes.toString("latin1");
    const found = [...text.matchAll(VALUE)];
    if (found.length === 0) return bytes;
    const { 0: whole, index } = found[Math.floor((at / (bytes.length + 1)) * found.length)];
    const value = VALUES[Math.floor(random() * VALUES.length)];
    return Buffer.from(text.slice(0, index) + value + text.slice(index + whole.length), "latin1");
  },
  flip(bytes, at, { random }) {
    const changed = Buffer.from(bytes);
    if (at < changed.length) changed[at] ^= 1 << Math.floor(random() * 8);
    return changed;
  },
  replace(bytes, at, { random }) {
    const changed = Buffer.from(bytes);
    if (at < changed.length) changed[at] = Math.floor(random() * 256);
    return changed;
  },
  delete: (bytes, at, { length }) => Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)]),
  duplicate: (bytes, at, { length }) => Buffer.concat([bytes.subarray(0, at + length), bytes.subarray(at)]),
  truncate: (bytes, at) => bytes.subarray(0, at),
  insert(bytes, at, { random }) {
    const token = Buffer.from(TOKENS[Math.floor(random() * TOKENS.length)]);
    return Buffer.concat([bytes.subarray(0, at), token, bytes.subarray(at)]);
  },
};

/**
 * Makes one to six changes of different sizes. Half of the files only get values of the wrong type, and still parse.
 */
export function mutate(bytes, random) {
  const kinds = random() < 0.5 ? [MUTATIONS.retype] : Object.values(MUTATIONS);
  let changed = bytes;
  for (let left = 1 + Math.floor(random() ** 2 * 6); left > 0; left -= 1) {
    const kind = kinds[Math.floor(random() * kinds.length)];
    const length = Math.ceil(random() ** 3 * 80);
    changed = kind(changed, Math.floor(random() * (changed.length + 1)), { length, random });
  }
  return changed;
}
