import type { VNode } from "preact";
import type { CallDocument } from "../../../page-api.ts";
import { Badge } from "../parts/badge.tsx";
import { CodeBlock } from "../parts/copy.tsx";
import { milliseconds } from "../text/format.ts";

/** Types that the browser cannot run as a program. */
const IMAGES = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

export function CallResult({ result }: { readonly result: CallDocument }): VNode {
  const { isError, text, isTruncated, structured, images, durationMs } = result;
  return (
    <section class="result" aria-label="Result of the call">
      <p>
        {isError ? (
          <Badge tone="warn" icon="warning" text="The tool reported an error" />
        ) : (
          <Badge tone="good" icon="check" text="Result" />
        )}{" "}
        <span class="soft">{milliseconds(durationMs)}</span>
      </p>
      {text === "" ? null : <CodeBlock text={text} what="the result" />}
      {isTruncated ? <p class="soft">The text is longer. This is its beginning.</p> : null}
      {structured === undefined ? null : (
        <details>
          <summary>Structured result</summary>
          <CodeBlock text={JSON.stringify(structured, undefined, 2)} what="the structured result" />
        </details>
      )}
      {images
        .filter(({ mimeType, data }) => IMAGES.has(mimeType) && BASE64.test(data))
        .map(({ mimeType, data }, index) => (
          <img key={index} src={`data:${mimeType};base64,${data}`} alt={`Image ${index + 1} of the result`} />
        ))}
      {text === "" && structured === undefined && images.length === 0 ? (
        <p class="soft">The result is empty.</p>
      ) : null}
    </section>
  );
}
