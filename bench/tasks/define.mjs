/** Short forms for the definitions of scripted tools. */

export const text = (description) => ({ type: "string", description });
export const number = (description) => ({ type: "number", description });
export const choice = (description, ...values) => ({ type: "string", enum: values, description });
export const list = (items, description) => ({ type: "array", items, description });
export const object = (description, properties, required = Object.keys(properties)) => ({
  type: "object",
  description,
  properties,
  required,
  additionalProperties: false,
});

/** A name with `?` is an optional parameter. `run` returns a JSON value, or throws a message for the model. */
export function tool(description, parameters, run) {
  const names = Object.keys(parameters);
  const properties = Object.fromEntries(names.map((name) => [name.replace("?", ""), parameters[name]]));
  const required = names.filter((name) => !name.endsWith("?"));
  return {
    description,
    inputSchema: { type: "object", properties, required, additionalProperties: false },
    run: (args) => JSON.stringify(run(args)),
  };
}

/** Returns the item with this id. Throws if there is none. */
export function byId(items, id) {
  const item = items.find((each) => each.id === id);
  if (item === undefined) throw new Error(`There is no ${JSON.stringify(id)}.`);
  return item;
}

/** Returns the items whose fields contain the text. */
export function matching(items, query, ...fields) {
  const wanted = query.toLowerCase();
  return items.filter((item) => fields.some((field) => String(item[field]).toLowerCase().includes(wanted)));
}

/** Adds an item with the next id of this prefix, and returns it. */
export function added(items, prefix, facts) {
  const item = { id: `${prefix}_${100 + items.length}`, ...facts };
  items.push(item);
  return item;
}

/** Throws unless the text is a date such as 2026-03-14. */
export function checkDate(name, date) {
  if (!/^\d{4}-\d\d-\d\d$/.test(date)) throw new Error(`"${name}" must be a date in the form YYYY-MM-DD.`);
}
