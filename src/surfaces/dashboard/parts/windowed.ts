import type { RefObject } from "preact";
import { useCallback, useLayoutEffect, useRef, useState } from "preact/hooks";

/** The part of a long list that is rendered. All rows have the same height. */
export interface Windowed {
  readonly box: RefObject<HTMLDivElement | null>;
  readonly first: number;
  readonly end: number;
  /** The height of the rows that are not rendered, before and after. */
  readonly before: number;
  readonly after: number;
  onScroll(): void;
  /** Scrolls as far as necessary to show the row. */
  reveal(index: number): void;
}

/** Rows are added and removed in steps, so that most scroll events change nothing. */
const STEP = 8;
const MARGIN = 16;
const FIRST_GUESS = { row: 40, box: 640 };

interface Sizes {
  readonly row: number;
  readonly box: number;
}

/** `identityOf` tells rows apart, so that rows added at the top do not move what the person reads. */
export function useWindowed(
  count: number,
  firstId: string | undefined,
  indexOf: (id: string) => number,
): Windowed {
  const box = useRef<HTMLDivElement | null>(null);
  const [top, setTop] = useState(0);
  const [sizes, setSizes] = useState<Sizes>(FIRST_GUESS);
  const lastFirst = useRef(firstId);

  const onScroll = useCallback(() => {
    const scrolled = Math.floor((box.current?.scrollTop ?? 0) / sizes.row / STEP) * STEP;
    setTop(scrolled);
  }, [sizes.row]);

  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const measure = (): void => {
      const row = element.querySelector("[data-row]")?.getBoundingClientRect().height ?? 0;
      const next = { row: row > 0 ? row : FIRST_GUESS.row, box: element.clientHeight };
      setSizes((before) => (before.row === next.row && before.box === next.box ? before : next));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [count > 0]);

  useLayoutEffect(() => {
    const added = lastFirst.current === undefined ? 0 : indexOf(lastFirst.current);
    lastFirst.current = firstId;
    const element = box.current;
    if (element === null || added <= 0 || element.scrollTop < sizes.row) return;
    element.scrollTop += added * sizes.row;
  }, [firstId]);

  const first = Math.max(0, Math.min(top - MARGIN, count - 1));
  const end = Math.min(count, top + Math.ceil(sizes.box / sizes.row) + STEP + MARGIN);
  return {
    box,
    first,
    end,
    before: first * sizes.row,
    after: (count - end) * sizes.row,
    onScroll,
    reveal(index) {
      const element = box.current;
      if (element === null) return;
      const head = element.querySelector("thead")?.getBoundingClientRect().height ?? 0;
      const start = index * sizes.row;
      if (start < element.scrollTop) element.scrollTop = start;
      else if (start + sizes.row + head > element.scrollTop + element.clientHeight)
        element.scrollTop = start + sizes.row + head - element.clientHeight;
      onScroll();
    },
  };
}
