/** Why an answer ends before its end. */
export function describeCut(cut: "length" | "content-filter"): string {
  return cut === "length"
    ? "The answer is cut: it is as long as the model may make it."
    : "The provider withheld the rest of the answer.";
}
