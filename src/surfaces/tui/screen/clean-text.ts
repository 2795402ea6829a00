/* oxlint-disable no-control-regex -- control characters are what this is about */
/** Matches complete control sequences and single control characters. */
const SEQUENCES =
  /\u001b\[[0-9;:<=>?]*[ -/]*[@-~]|\u001b[PX\]^_][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b[ -/]*[0-~]?|[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
const COLOUR = /^\u001b\[([0-9;]*)m$/;
const TAB_WIDTH = 4;

/** Removes all control sequences except basic styles and the sixteen colours. Tabs become spaces. */
export function cleanText(text: string): string {
  if (/^[\n\x20-\x7e]*$/.test(text)) return text;
  return text
    .replace(/\r\n/g, "\n")
    .replace(SEQUENCES, (sequence) => {
      const given = COLOUR.exec(sequence)?.[1];
      return given !== undefined && isPlainColour(given) ? sequence : "";
    })
    .replaceAll("\t", " ".repeat(TAB_WIDTH));
}

/** Matches codes for basic styles and the standard colours, but not for blinking or hidden text. */
const PLAIN_CODE = /^(?:0?[0-4]?|0?[79]|2[2-479]|[349][0-7]|[34]9|10[0-7])$/;

function isPlainColour(given: string): boolean {
  return given.split(";").every((code) => PLAIN_CODE.test(code));
}
