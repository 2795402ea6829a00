import type { Problem, Provenance } from "../../../model/index.ts";
import type { FilePlace, PageProblem } from "../api/page.ts";

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
    message,
    ...(server !== undefined && { server }),
    ...(file !== undefined && { place: describePlaceOf({ file, ...at }) }),
  };
}
