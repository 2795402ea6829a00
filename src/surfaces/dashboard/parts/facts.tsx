import type { ComponentChildren, VNode } from "preact";

/** A list of names with values. Undefined values are omitted. */
export function Facts({
  facts,
}: {
  readonly facts: readonly (readonly [string, ComponentChildren])[];
}): VNode {
  return (
    <dl class="facts">
      {facts
        .filter(([, value]) => value !== undefined && value !== null)
        .map(([name, value], index) => (
          <div key={index}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

/** Short texts beside each other, such as names of variables. */
export function Chips({ texts }: { readonly texts: readonly string[] }): VNode {
  return (
    <ul class="chips">
      {texts.map((text) => (
        <li key={text}>
          <code>{text}</code>
        </li>
      ))}
    </ul>
  );
}
