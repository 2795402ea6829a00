/** May this server run? The reason is what a person has to do about it. */
export type Decision =
  | { readonly allowed: true; readonly because: string }
  | {
      readonly allowed: false;
      readonly reason: "untrusted" | "disabled" | "invalid";
      readonly because: string;
    };
