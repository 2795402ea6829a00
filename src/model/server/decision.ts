/**
 * Whether a server may run. `reason` tells what the user must change; `because` explains the decision as readable text.
 */
export type Decision =
  | { readonly allowed: true; readonly because: string }
  | {
      readonly allowed: false;
      readonly reason: "untrusted" | "disabled" | "invalid";
      readonly because: string;
    };
