/** Describes why an answer is incomplete. */
export function describeCut(cut: "length" | "content-filter"): string {
  return cut === "length"
    ? "The answer was cut off at the model's length limit."
    : "The provider withheld the rest of the answer.";
}
