const MASK = "[secret]";

/** Shapes that are secrets wherever they stand. */
const SHAPES: readonly RegExp[] = [
  /\b(?:Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{8,}/g,
  /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]*)?/g,
  /\b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{16,}/g,
  /\bgh[pousr]_[A-Za-z0-9]{20,}/g,
  /\bgithub_pat_[A-Za-z0-9_]{20,}/g,
  /\bglpat-[A-Za-z0-9_-]{16,}/g,
  /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/g,
  /\bAKIA[0-9A-Z]{16}\b/g,
  /\bAIza[0-9A-Za-z_-]{30,}/g,
];

const SECRET_NAME =
  /(?:^|[-_.])(?:key|token|secret|password|passwd|pwd|auth|credential|credentials|signature|sig|apikey|accesskey)$/i;

/** Takes secrets out of text: the values it was told of, and what looks like one. */
export class Redactor {
  readonly #values = new Set<string>();

  /** Short values are not registered: replacing them would garble ordinary text. */
  add(value: string): void {
    if (value.length >= 6) this.#values.add(value);
  }

  redact(text: string): string {
    let result = text;
    for (const value of this.#values) result = result.replaceAll(value, MASK);
    return maskShapes(result);
  }
}

/** Masks what looks like a secret in an argument list: `--api-key X`, `--token=X`, `KEY=X`, known shapes. */
export function maskArguments(args: readonly string[]): string[] {
  return args.map((argument, index) => {
    const previous = args[index - 1];
    if (
      previous?.startsWith("-") &&
      !previous.includes("=") &&
      isSecretName(previous) &&
      !isTemplate(argument)
    ) {
      return argument.startsWith("-") ? argument : MASK;
    }
    const equals = argument.indexOf("=");
    if (equals > 0 && isSecretName(argument.slice(0, equals)) && !isTemplate(argument.slice(equals + 1))) {
      return `${argument.slice(0, equals + 1)}${MASK}`;
    }
    return maskUrl(maskShapes(argument));
  });
}

/** Masks passwords and secret query parameters of a URL; other text comes back as it is. */
export function maskUrl(text: string): string {
  return text
    .replace(/^([a-z][a-z0-9+.-]*:\/\/[^/@\s:]*:)[^/@\s]+@/i, `$1${MASK}@`)
    .replace(/([?&])([^=&#\s]+)=([^&#\s]+)/g, (whole, lead: string, name: string, value: string) =>
      isSecretName(name) && !isTemplate(value) ? `${lead}${name}=${MASK}` : whole,
    );
}

function maskShapes(text: string): string {
  let result = text;
  for (const shape of SHAPES) result = result.replace(shape, MASK);
  return result;
}

function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name.replace(/([a-z])([A-Z])/g, "$1_$2"));
}

/** `${VAR}` names a secret without being one. */
function isTemplate(value: string): boolean {
  return /^\$\{[^}]+\}$/.test(value);
}
