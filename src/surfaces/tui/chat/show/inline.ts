import type { Style } from "../../../shared/render/style.ts";

/** Renders code, links, bold, emphasis and struck text in safe text. Unclosed markers stay unchanged. */
export function renderInline(line: string, style: Style): string {
  return line
    .split(/(`[^`]+`)/)
    .map((piece) => (/^`[^`]+`$/.test(piece) ? style.name(piece.slice(1, -1)) : renderPiece(piece, style)))
    .join("");
}

function renderPiece(piece: string, style: Style): string {
  return (
    piece
      // Both the text and the address are shown, because the text could name another address.
      .replaceAll(/!?\[([^[\]]*)\]\(([^()\s]+)(?:\s+"[^"]*")?\)/g, (_, text: string, url: string) =>
        text === "" || text === url ? style.name(url) : `${text} ${style.dim(`(${url})`)}`,
      )
      .replaceAll(/<((?:https?:\/\/|mailto:)[^\s<>]+)>/g, (_, url: string) => style.name(url))
      .replaceAll(/\*\*([^*]+)\*\*/g, (_, text: string) => style.bold(text))
      .replaceAll(/(?<![\w*])\*([^*\s][^*]*)\*(?![\w*])/g, (_, text: string) => text)
      .replaceAll(/(?<!\w)_([^_\s][^_]*)_(?!\w)/g, (_, text: string) => text)
      .replaceAll(/~~([^~]+)~~/g, (_, text: string) => style.dim(text))
  );
}
