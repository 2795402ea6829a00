/** A schema of a library that implements Standard Schema, such as Zod, Valibot or ArkType. See standardschema.dev. */
export interface StandardSchema<Input = unknown, Output = Input> {
  /** The members that the standard defines. */
  readonly "~standard": {
    readonly version: 1;
    /** The name of the library. */
    readonly vendor: string;
    /** Returns the parsed value, or the validation errors. */
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    /** The types of the schema. Not set at run time. */
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    /** The schema as JSON Schema, if the library supports that (Standard JSON Schema). */
    readonly jsonSchema?: {
      readonly input: (options: { readonly target: "draft-2020-12" }) => Record<string, unknown>;
    };
  };
}

/** The result of `validate`: a value, or issues. */
export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

/** One reason why a value does not match a schema. */
export interface StandardIssue {
  /** The error message, for people. */
  readonly message: string;
  /** The keys that lead to the value. */
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}
