import { type Problem, type Provenance, truncate } from "../../../model/index.ts";
import type { FilePlace, PageProblem } from "../api/page.ts";

/** Problems are part of every snapshot. */
const LONGEST_MESSAGE = 1_000;

export function describePlaceOf({
  file,
  line,
  column,
}: Pick<Provenance, "file" | "line" | "column">): FilePlace {
  return { file, ...(line !== undefined && { line }), ...(column !== undefined && { column }) };
}

export function describeProblem({ severity, code, message, server, file, ...at }: Problem): PageProblem {
  return {
    severity,
    code,
    message: truncate(message, LONGEST_MESSAGE),
    ...(server !== undefined && { server }),
    ...(file !== undefined && { place: describePlaceOf({ file, ...at }) }),
  };
}
