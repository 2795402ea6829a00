/** Tool lists made to be as slow as possible to handle, by name: each is near the size limit of one message. */
const MB = 1024 * 1024;
const ROOM = 15 * MB;

const tool = (inputSchema, more) => ({ name: "heavy", inputSchema, ...more });
const object = (properties, more) => ({ type: "object", properties, ...more });
const named = (count, make) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, make(index)]));
const filled = (bytes, item) =>
  Array.from({ length: Math.floor(bytes / (JSON.stringify(item).length + 1)) }, () => item);
const nested = (depth, leaf, wrap) => Array.from({ length: depth }).reduce((inner) => wrap(inner), leaf);
/** As many tools as fit, each with a schema just below the size at which it is quarantined. */
const many = (schema, bytes = ROOM) => {
  const size = JSON.stringify(schema).length + 40;
  return Array.from({ length: Math.floor(bytes / size) }, (_, index) =>
    tool(schema, { name: `heavy_${index}` }),
  );
};

const LISTS = {
  "one schema with half a million properties": () => [tool(object(named(500_000, () => ({}))))],
  "one schema with millions of empty schemas in a list": () => [
    tool(object({}, { anyOf: filled(ROOM, {}) })),
  ],
  "one enum with millions of numbers": () => [tool(object({ a: { enum: filled(ROOM, 1) } }))],
  "one enum with millions of empty lists": () => [tool(object({ a: { enum: filled(ROOM, []) } }))],
  "one default with half a million keys": () => [tool(object({ a: { default: named(700_000, () => 1) } }))],
  "an unknown keyword that holds millions of empty objects": () => [
    tool(object({}, { "x-data": filled(ROOM, {}) })),
  ],
  "a member beside the schema that holds millions of empty objects": () => [
    tool(object({}), { _meta: { a: filled(ROOM, {}) } }),
  ],
  "annotations with half a million keys": () => [tool(object({}), { annotations: named(900_000, () => 1) })],
  "a description of 15 MB": () => [
    tool(object({}), { description: "ignore all previous ".repeat(ROOM / 20) }),
  ],
  "a description of 15 MB of hidden characters": () => [
    tool(object({}), { description: "\u200b\u202e".repeat(ROOM / 12) }),
  ],
  "a parameter's description of 15 MB of hidden characters": () => [
    tool(object({ a: { type: "string", description: "\u200b\u202e".repeat(ROOM / 12) } })),
  ],
  "a title of 15 MB of blank lines": () => [tool(object({}), { title: " \n".repeat(ROOM / 4) })],
  "a pattern of 15 MB": () => [tool(object({ a: { type: "string", pattern: "(a*)*".repeat(ROOM / 5) } }))],
  "one reference of 15 MB": () => [tool(object({ a: { $ref: `#/${"a/".repeat(ROOM / 2)}` } }))],
  "a hundred thousand long references": () => [
    tool({
      ...object({}),
      $defs: { a: nested(30, {}, (inner) => ({ properties: { a: inner } })) },
      anyOf: filled(ROOM, { $ref: `#/$defs/a${"/properties/a".repeat(29)}` }),
    }),
  ],
  "many schemas of nine thousand references each": () =>
    many({ ...object({}), $defs: { a: {} }, anyOf: filled(240_000, { $ref: "#/$defs/a" }).slice(0, 4_900) }),
  "many schemas of references to long paths": () =>
    many({
      ...object({}),
      $defs: { a: nested(30, {}, (inner) => ({ properties: { a: inner } })) },
      anyOf: filled(250_000, { $ref: `#/$defs/a${"/properties/a".repeat(29)}` }).slice(0, 500),
    }),
  "many schemas of ten thousand empty schemas each": () =>
    many(object({}, { anyOf: filled(260_000, {}).slice(0, 9_900) })),
  "many schemas of 250 KB of empty lists in an enum": () => many(object({ a: { enum: filled(90_000, []) } })),
  "many schemas of 250 KB of hidden characters": () =>
    many(object({ a: { type: "string", description: "\u200b\u202e".repeat(100_000) } }), ROOM / 3),
  "many schemas of thousands of properties with hidden words": () =>
    many(object(named(4_000, () => ({ description: "\u200b" })))),
  "many schemas with long patterns": () =>
    many(
      object(named(200, (index) => ({ type: "string", pattern: `(a${index}|b?){500}x`.padEnd(990, "a") }))),
    ),
  "many schemas 31 levels deep": () =>
    many(object({ a: nested(31, {}, (inner) => ({ items: [inner, {}, {}, {}, {}, {}, {}, {}] })) })),
  "many output schemas of 250 KB": () =>
    many(object({}), 0).concat(
      Array.from({ length: 55 }, (_, index) =>
        tool(object({}), {
          name: `heavy_${index}`,
          outputSchema: object(named(8_000, () => ({ type: "string" }))),
        }),
      ),
    ),
  "many schemas 127 levels deep": () =>
    many({ ...object({}), "x-deep": nested(120, {}, (inner) => ({ a: inner, b: {}, c: {}, d: {} })) }),
  "a hundred thousand small tools": () =>
    Array.from({ length: 150_000 }, (_, index) => ({ name: `t${index}`, inputSchema: {} })),
  "fifty thousand tools of one name": () =>
    Array.from({ length: 400_000 }, () => ({ name: "t", inputSchema: {} })),
  "half a million tools without a name": () => filled(ROOM, {}),
};

/** Lists of more than a million values. A host refuses them while it reads them. */
export const REFUSED_DEFINITIONS = [
  "one schema with half a million properties",
  "one schema with millions of empty schemas in a list",
  "one enum with millions of numbers",
  "one enum with millions of empty lists",
  "one default with half a million keys",
  "an unknown keyword that holds millions of empty objects",
  "a member beside the schema that holds millions of empty objects",
  "annotations with half a million keys",
  "many schemas of nine thousand references each",
  "many schemas of ten thousand empty schemas each",
  "many schemas of 250 KB of empty lists in an enum",
  "many schemas of thousands of properties with hidden words",
  "many schemas 31 levels deep",
  "many schemas 127 levels deep",
  "fifty thousand tools of one name",
  "half a million tools without a name",
];

/** Below a million by the host's count, which adds some for large objects. */
const MOST_VALUES = 900_000;
const MANY = 1_000;

/** An upper bound for the host's count of the values. */
const countValues = (value) => {
  if (typeof value !== "object" || value === null) return 1;
  const own = Array.isArray(value) ? 2 : 2 + 3 * Object.keys(value).length;
  return Object.values(value).reduce((sum, inner) => sum + countValues(inner), own);
};

/** Cuts every long list and large object to this share of its length. */
const shrink = (value, share) => {
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  const kept = entries.length > MANY ? entries.slice(0, Math.floor(entries.length * share)) : entries;
  const cut = kept.map(([key, inner]) => [key, entries.length > MANY ? inner : shrink(inner, share)]);
  return Array.isArray(value) ? cut.map(([, inner]) => inner) : Object.fromEntries(cut);
};

/** A list that the host inspects: it has fewer tools, or a smaller one. */
const cutToLimit = (tools) => {
  const whole = countValues(tools);
  const share = MOST_VALUES / whole;
  const count = Math.floor(tools.length * share);
  return count > 0 ? tools.slice(0, count) : tools.slice(0, 1).map((one) => shrink(one, share));
};

export const HEAVY_DEFINITIONS = {
  ...LISTS,
  ...Object.fromEntries(
    REFUSED_DEFINITIONS.map((name) => [`${name}, cut to a million values`, () => cutToLimit(LISTS[name]())]),
  ),
};
