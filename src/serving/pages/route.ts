import type { JsonObject } from "../../model/index.ts";
import type { NeededRight, PagePerson } from "./page-rights.ts";

/** A request of a signed-in person. */
export interface PageRequest {
  readonly person: PagePerson;
  /** The parts of the path that the route names, decoded. */
  readonly names: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The body of a `POST`. Empty for other requests. */
  readonly body: JsonObject;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
}

/** One route of the page API. */
export interface Route {
  readonly method: "GET" | "POST";
  /** The path after `api/v1/`. Parts that start with a colon have a name. */
  readonly path: string;
  readonly right: NeededRight;
  /** Returns the document to send. */
  answer(request: PageRequest): object | Promise<object>;
}

/** A route that matches a path, and the values of its named parts. */
export interface FoundRoute {
  readonly route: Route;
  readonly names: Readonly<Record<string, string>>;
}

/** Finds routes by method and path. */
export class RouteTable {
  readonly #routes: readonly { readonly route: Route; readonly parts: readonly string[] }[];

  constructor(routes: readonly Route[]) {
    this.#routes = routes.map((route) => ({ route, parts: route.path.split("/") }));
  }

  /** Returns the route; the methods that the path allows if it has another one; `undefined` if there is no such path. */
  find(method: string, path: string): FoundRoute | { readonly allowed: string } | undefined {
    const given = path.split("/").map(decode);
    const matching = this.#routes.flatMap(({ route, parts }) => {
      const names = namesIn(parts, given);
      return names === undefined ? [] : [{ route, names }];
    });
    const found = matching.find(({ route }) => route.method === method);
    if (found !== undefined || matching.length === 0) return found;
    return { allowed: matching.map(({ route }) => route.method).join(", ") };
  }
}

function namesIn(
  parts: readonly string[],
  given: readonly (string | undefined)[],
): Readonly<Record<string, string>> | undefined {
  if (parts.length !== given.length) return undefined;
  const names: [string, string][] = [];
  for (const [index, part] of parts.entries()) {
    const value = given[index];
    if (value === undefined || value === "") return undefined;
    if (part.startsWith(":")) names.push([part.slice(1), value]);
    else if (part !== value) return undefined;
  }
  return Object.fromEntries(names);
}

function decode(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
