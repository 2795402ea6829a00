import {
  describePlace,
  isJsonObject,
  isList,
  type JsonObject,
  type JsonValue,
  type Problem,
  type ProblemCode,
  positionOfField,
  type ServerDeclaration,
} from "../model/index.ts";

/** The longest delay of a timer. Longer delays would fire immediately. */
const LONGEST_MS = 2 ** 31 - 1;

/** How many problems are reported per entry. */
const MOST_PROBLEMS = 20;

/** Reads the fields of a declaration by type. A field of the wrong type is reported at its position and omitted. */
export class FieldReader {
  readonly problems: Problem[] = [];
  readonly #declaration: ServerDeclaration;

  constructor(declaration: ServerDeclaration) {
    this.#declaration = declaration;
  }

  has(field: string): boolean {
    const value = this.#value(field);
    return value !== undefined && value !== null && value !== "";
  }

  /** Returns the value as declared, of any type. */
  value(field: string): JsonValue | undefined {
    return this.#value(field);
  }

  isList(field: string): boolean {
    return Array.isArray(this.#value(field));
  }

  string(field: string): string | undefined {
    const value = this.#value(field);
    if (value === undefined || value === null) return undefined;
    if (typeof value === "string") return value;
    return this.#wrongType(field, "a string");
  }

  boolean(field: string): boolean | undefined {
    const value = this.#value(field);
    if (value === undefined || typeof value === "boolean") return value;
    return this.#wrongType(field, "true or false");
  }

  /** Reads milliseconds, limited to the longest timer delay. 0 means no limit. */
  milliseconds(field: string): number | undefined {
    const value = this.#value(field);
    if (value === undefined) return undefined;
    if (value === 0) return LONGEST_MS;
    if (typeof value === "number" && value > 0) return Math.min(value, LONGEST_MS);
    return this.#wrongType(field, "a number of milliseconds");
  }

  /** Reads a number of at least 1. */
  count(field: string): number | undefined {
    const value = this.#value(field);
    if (value === undefined || (typeof value === "number" && value >= 1)) return value;
    return this.#wrongType(field, "a number of at least 1");
  }

  strings(field: string): readonly string[] | undefined {
    const value = this.#value(field);
    if (value === undefined) return undefined;
    if (isList(value) && value.every((item) => isScalar(item))) return value.map(String);
    return this.#wrongType(field, "a list of strings");
  }

  /** Numbers and booleans become strings, as in a shell. */
  stringMap(field: string): Readonly<Record<string, string>> | undefined {
    const value = this.#value(field);
    if (value === undefined) return undefined;
    if (!isJsonObject(value)) return this.#wrongType(field, "an object of strings");
    const map: Record<string, string> = Object.create(null);
    for (const [key, item] of Object.entries(value)) {
      if (isScalar(item)) map[key] = String(item);
      else if (item !== null)
        // null means that the member is not set
        this.complain("field-type", `"${field}.${key}" must be a string; it is ignored`, field, "warning");
    }
    return map;
  }

  /** Whether further problems are not reported. */
  get isFull(): boolean {
    return this.problems.length > MOST_PROBLEMS;
  }

  complain(code: ProblemCode, message: string, field: string, severity: Problem["severity"]): void {
    if (this.isFull) return;
    const { name } = this.#declaration;
    const place = positionOfField(this.#declaration, field);
    this.problems.push({
      code,
      severity,
      message: `${describePlace(place)} server "${name}": ${this.problems.length < MOST_PROBLEMS ? message : "has more problems that are not shown"}`,
      server: name,
      ...place,
    });
  }

  #value(field: string): JsonValue | undefined {
    return own(this.#declaration.fields, field);
  }

  #wrongType(field: string, wanted: string): undefined {
    this.complain("field-type", `"${field}" must be ${wanted}; it is ignored`, field, "warning");
    return undefined;
  }
}

function own(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

function isScalar(value: JsonValue): value is string | number | boolean {
  return ["string", "number", "boolean"].includes(typeof value);
}
