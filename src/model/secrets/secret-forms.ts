/** A base64 piece shorter than this would match ordinary words. */
const SHORTEST_BASE64 = 8;

/** Returns the forms in which a value can appear in text: as is, escaped for URLs, JSON or HTML, and inside base64. */
export function secretForms(value: string): string[] {
  const inJson = JSON.stringify(value).slice(1, -1);
  const inUrl = encoded(value, encodeURIComponent);
  const forms = [
    value,
    inJson,
    JSON.stringify(inJson).slice(1, -1),
    inUrl,
    encoded(inUrl, encodeURIComponent),
    inUrl.replaceAll("%20", "+"),
    // URL parsers and form encoders differ in which characters they leave unescaped. These two forms cover the
    // variants.
    encoded(value, encodeURI),
    inUrl.replaceAll(/[!'()*~]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`),
    ...urlForms(value),
    value.replaceAll(/[&<>"']/g, (sign) => HTML[sign] ?? sign),
    ...base64Forms(value),
    ...escapedForms(value, inJson),
  ];
  return [...new Set(forms)];
}

/**
 * Returns how the URL parser writes a value in the path, the query, the fragment and the user name. It keeps
 * characters such as `|` and `%` that the encoders escape. A shorter form has lost a part of the value and could be an
 * ordinary word.
 */
function urlForms(value: string): string[] {
  const address = "http://h/";
  const withUser = new URL(address);
  withUser.username = value;
  const forms = ["", "?", "#"].map((lead) =>
    new URL(`${address}${lead}${value}`).href.slice(address.length + lead.length),
  );
  return [...forms, withUser.username].filter((form) => form.length >= value.length);
}

/** A lone surrogate cannot be encoded in a URL. */
function encoded(text: string, encode: (text: string) => string): string {
  try {
    return encode(text);
  } catch {
    return text;
  }
}

const NAMED: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };
const CONTROLS = /\p{Cc}/gu;
const NOT_ASCII = /\P{ASCII}/gu;

/**
 * Returns the text as programs print control and non-ASCII characters: `\x01` (Python, Go), `\001` (C, shells), `\u{1}`
 * (Rust).
 */
function escapedForms(value: string, inJson: string): string[] {
  const isPlain = /^[\x20-\x7e]*$/.test(value);
  const hex = (text: string, length: number): string =>
    (text.codePointAt(0) ?? 0).toString(16).padStart(length, "0");
  const unit = (half: string): string => `\\u${half.charCodeAt(0).toString(16).padStart(4, "0")}`;
  const doubled = value.replaceAll("\\", "\\\\");
  const quoted = doubled.replaceAll("'", "\\'"); // Python does this if the text contains both kinds of quotes
  if (isPlain) return [doubled, quoted];
  const controls = (text: string, escape: (sign: string) => string): string =>
    text.replaceAll(CONTROLS, (sign) => NAMED[sign] ?? escape(sign));
  const asHex = (sign: string): string => `\\x${hex(sign, 2)}`;
  const python = [doubled, quoted].map((text) => controls(text, asHex));
  const bytes = Array.from(new TextEncoder().encode(doubled), (byte) => String.fromCharCode(byte)).join("");
  return [
    ...python,
    ...python.map((text) =>
      text.replaceAll(NOT_ASCII, (sign) => {
        const code = sign.codePointAt(0) ?? 0;
        if (code > 0xffff) return `\\U${hex(sign, 8)}`;
        return code > 0xff ? `\\u${hex(sign, 4)}` : asHex(sign);
      }),
    ),
    controls(bytes, asHex).replaceAll(NOT_ASCII, asHex),
    inJson.replaceAll(NOT_ASCII, (sign) => sign.split("").map(unit).join("")),
    controls(doubled, (sign) => `\\${sign.charCodeAt(0).toString(8).padStart(3, "0")}`),
    controls(doubled, (sign) => `\\u{${hex(sign, 1)}}`),
  ];
}

const HTML: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/**
 * Returns the value as it appears inside longer base64 text, for each of the three possible alignments. Characters at
 * the ends are omitted because they depend on the adjacent bytes.
 */
function base64Forms(value: string): string[] {
  const bytes = new TextEncoder().encode(value);
  const forms = [0, 1, 2].flatMap((lead) => {
    const padded = new Uint8Array(lead + bytes.length);
    padded.set(bytes, lead);
    const text = btoa(Array.from(padded, (byte) => String.fromCharCode(byte)).join(""));
    const core = text.slice(Math.ceil((lead * 8) / 6), Math.floor((padded.length * 8) / 6));
    return core.length < SHORTEST_BASE64 ? [] : [core];
  });
  return forms.flatMap((form) => [form, form.replaceAll("+", "-").replaceAll("/", "_")]);
}
