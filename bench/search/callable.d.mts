export function isCallable(
  inputSchema: object,
  parameters: readonly { readonly name: string; readonly form: string }[],
  names?: readonly string[],
): boolean;
