/**
 * Decides whether a search result is enough to call a tool, without its full definition. It is if every required parameter is named, and its
 * form is told or needs no telling:
 *
 * - A text, number or boolean without a fixed set of values needs no telling.
 * - One of a fixed set of values: the result must contain them all.
 * - A list: the result must say that it is one, and tell the form of its items.
 * - An object: the result must name its required members, and tell their form.
 * - A choice between schemas: one of them must be told.
 */

/**
 * `parameters`: `{ name, form }` of the search result, as `readHits` returns them. `names`: the parameters to pass. Default: the required ones.
 */
export function isCallable(inputSchema, parameters, names = inputSchema.required ?? []) {
  const forms = new Map(parameters.map(({ name, form }) => [name, form]));
  return names.every((name) => {
    const form = forms.get(name);
    return form !== undefined && isTold(inputSchema.properties?.[name], form, inputSchema);
  });
}

function isTold(schema, form, root, depth = 0) {
  if (typeof schema !== "object" || schema === null) return true; // any value
  if (depth > 8) return false; // refers to itself
  const tell = (part) => isTold(part, form, root, depth + 1);
  if (schema.$ref !== undefined) return tell(resolve(root, schema.$ref));
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return choices.some(tell);
  if (schema.allOf !== undefined) return schema.allOf.every(tell);
  const values = schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);
  if (values !== undefined) return values.every((value) => form.includes(JSON.stringify(value)));
  const types = [schema.type].flat();
  if (types.includes("array")) return /\barray\b|\[\]/.test(form) && tell(schema.items);
  if (!types.includes("object")) return true;
  return (schema.required ?? []).every(
    (name) => wordsIn(form).includes(name) && tell(schema.properties?.[name]),
  );
}

function wordsIn(form) {
  return form.split(/[^\w$-]+/);
}

/** Returns the schema at a reference such as `#/$defs/Address`. */
function resolve(root, reference) {
  return reference
    .split("/")
    .slice(1)
    .reduce((part, key) => part?.[key.replaceAll("~1", "/").replaceAll("~0", "~")], root);
}
