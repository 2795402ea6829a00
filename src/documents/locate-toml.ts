import type { Position } from "../model/index.ts";
import type { Path } from "./document.ts";
import { createLocator } from "./position.ts";
import { scanToml } from "./scan-toml.ts";

/** A table, a list of tables or a key: where it first occurs, and its members. */
interface Place {
  readonly at: number;
  readonly members: Map<string | number, Place>;
  /** The number of `[[table]]` headers so far. */
  count: number;
}

/**
 * Returns a function that finds the position of tables and keys in a valid TOML text. Members of an inline table or
 * array have the position of its key. Runs in linear time.
 */
export function locateToml(text: string): (path: Path) => Position | undefined {
  const locate = createLocator(text);
  const root: Place = { at: 0, members: new Map(), count: 0 };
  let table = root;
  for (const { kind, table: name, key, start } of scanToml(text) ?? []) {
    if (kind === "pair") walk(table, key, start);
    else table = walk(root, name, start, kind === "list");
  }
  return (path) => {
    let place = root;
    for (const part of path) {
      const inner = place.members.get(part);
      if (inner === undefined) return place === root ? undefined : locate(place.at);
      place = inner;
    }
    return locate(place.at);
  };
}

/** Finds or adds a place. `[a.b]` refers to the last `[[a]]` so far; `[[a]]` itself adds an item. */
function walk(from: Place, path: readonly string[], at: number, isList = false): Place {
  let place = from;
  for (const [index, part] of path.entries()) {
    place = member(place, part, at);
    if (isList && index === path.length - 1) {
      place.count += 1;
      place = member(place, place.count - 1, at);
    } else if (place.count > 0) place = member(place, place.count - 1, at);
  }
  return place;
}

/** Finds or adds a member. A table is placed where it first occurs, even as the parent of another table. */
function member({ members }: Place, part: string | number, at: number): Place {
  const known = members.get(part);
  if (known !== undefined) return known;
  const place: Place = { at, members: new Map(), count: 0 };
  members.set(part, place);
  return place;
}
