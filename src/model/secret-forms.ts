/** A base64 piece shorter than this would match ordinary words. */
const SHORTEST_BASE64 = 8;

/** The forms in which a value can come back: as it is, escaped in an address, in JSON or in HTML, and inside of base64. */
export function secretForms(value: string): string[] {
  const inJson = JSON.stringify(value).slice(1, -1);
  const inUrl = encoded(value, encodeURIComponent);
  const forms = [
    value,
    inJson,
    JSON.stringify(inJson).slice(1, -1),
    inUrl,
    encodeURIComponent(inUrl),
    inUrl.replaceAll("%20", "+"),
    // What the address parser and form encoders leave as it is differs: these are the ways between.
    encoded(value, encodeURI),
    inUrl.replaceAll(/[!'()*~]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`),
    value.replaceAll(/[&<>"']/g, (sign) => HTML[sign] ?? sign),
    ...base64Forms(value),
  ];
  return [...new Set(forms)];
}

/** Half of a character cannot be written in an address. */
function encoded(text: string, encode: (text: string) => string): string {
  try {
    return encode(text);
  } catch {
    return text;
  }
}

const HTML: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** What a value looks like inside of base64, at each of the three places that it can begin at; the ends depend on its neighbours. */
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
