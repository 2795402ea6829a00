import { Fragment, type VNode } from "preact";
import type { FilePlace } from "../../../page-api.ts";

/** A file with line and column. */
export function Place({ place }: { readonly place: FilePlace }): VNode {
  return <Path text={placeText(place)} />;
}

/** A path breaks after its separators. */
export function Path({ text }: { readonly text: string }): VNode {
  return (
    <span class="place">
      {text.split(/(?<=[/\\])/).map((part, index) => (
        <Fragment key={index}>
          {part}
          <wbr />
        </Fragment>
      ))}
    </span>
  );
}

export function placeText({ file, line, column }: FilePlace): string {
  return [file, line, line === undefined ? undefined : column].filter((part) => part !== undefined).join(":");
}
