/** A step of signing in that must not be taken. Its message follows `OAuth authentication failed: `. */
export class Refusal extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "Refusal";
  }
}
