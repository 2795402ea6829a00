import type { ComponentChildren, VNode } from "preact";

interface RowProps {
  /** The kind of item. */
  readonly lead?: ComponentChildren;
  readonly children: ComponentChildren;
  readonly action?: ComponentChildren;
  readonly isTop?: boolean;
  readonly isWanted?: boolean;
}

/** An entry of a list with the class `rows`. */
export function Row({ lead, children, action, isTop = false, isWanted = false }: RowProps): VNode {
  return (
    <li class={`row${isTop ? " top" : ""}${isWanted ? " wanted" : ""}`}>
      {lead === undefined ? null : <div class="lead">{lead}</div>}
      <div class="grow">{children}</div>
      {action}
    </li>
  );
}
