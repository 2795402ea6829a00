import { Fragment, type VNode } from "preact";
import type { FilePlace } from "../../../page-api.ts";
import { useGateway } from "../gateway/context.ts";

/** A file with line and column. */
export function Place({ place }: { readonly place: FilePlace }): VNode {
  return <Path text={placeText(place)} />;
}

/** A path breaks after its separators. The home folder is `~`; hovering shows the whole path. */
export function Path({ text }: { readonly text: string }): VNode {
  const { home } = useGateway().session;
  const isInHome = home !== undefined && /^[/\\]/.test(text.slice(home.length)) && text.startsWith(home);
  const shown = isInHome ? `~${text.slice(home.length)}` : text;
  return (
    <span class="place" title={isInHome ? text : undefined}>
      {shown.split(/(?<=[/\\])/).map((part, index) => (
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
