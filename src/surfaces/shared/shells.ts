/** The shells that Plugboard completes in. */
export const SHELLS = ["bash", "zsh", "fish"] as const;
