/** Returns tool definitions, numbered from `first`. */
export function manyTools(count, first = 0) {
  return Array.from({ length: count }, (_, index) => ({
    name: `look_up_${lettersOf(first + index)}`,
    description: `Tool number ${first + index}: looks something up by its path and answers what it found, as text.`,
    inputSchema: {
      type: "object",
      properties: {
        path: { type: "string", description: "Where to look" },
        depth: { type: "integer", minimum: 0, description: "How deep to look" },
        kinds: { type: "array", items: { type: "string", enum: ["file", "folder", "link"] } },
      },
      required: ["path"],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true },
  }));
}

/** Converts a number to letters, because digits may be removed from tool names, which would make them equal. */
export function lettersOf(index) {
  return String(index).replaceAll(/\d/g, (digit) => "abcdefghij"[digit]);
}
