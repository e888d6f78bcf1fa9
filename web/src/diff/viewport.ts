// What is in view: the window on the rows, the heights learnt there, and staying in place.
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Row } from "./rows";
import type { Heights } from "./window";

type Scroller = { current: HTMLDivElement | null };

/** Where the window stands, followed as it scrolls and changes its size. */
export function useViewport(scroller: Scroller): { top: number; height: number; follow(): void } {
  const [view, setView] = useState({ top: 0, height: 600 });
  const follow = () => {
    const element = scroller.current;
    if (element) setView({ top: element.scrollTop, height: element.clientHeight });
  };
  useLayoutEffect(() => {
    follow();
    const observer = new ResizeObserver(follow);
    if (scroller.current) observer.observe(scroller.current);
    return () => observer.disconnect();
  }, []);
  return { ...view, follow };
}

/** Rows that wrap have heights of their own, learnt once they are drawn. */
export function useLearning(scroller: Scroller, heights: Heights): void {
  const [, redraw] = useState(0);
  useLayoutEffect(() => {
    let isNew = false;
    for (const element of scroller.current?.querySelectorAll<HTMLElement>("[data-measure]") ?? []) {
      isNew = heights.learn(Number(element.dataset.measure), element.offsetHeight) || isNew;
    }
    if (isNew) redraw((count) => count + 1);
  });
}

/** Keeps the row at the top where it is when rows come or go above it. */
export function useAnchor(scroller: Scroller, rows: Row[], heights: Heights): void {
  const before = useRef<{ rows: Row[]; index: number; key: string; offset: number } | null>(null);
  useLayoutEffect(() => {
    const element = scroller.current;
    const known = before.current;
    if (element && known && known.rows !== rows && element.scrollTop > 0) {
      const isThere = rows[known.index]?.key === known.key;
      const index = isThere ? known.index : rows.findIndex((row) => row.key === known.key);
      if (index >= 0) element.scrollTop = heights.top(index) + known.offset;
    }
  }, [rows]);
  useLayoutEffect(() => {
    const element = scroller.current;
    const index = element ? heights.at(element.scrollTop) : 0;
    const row = rows[index];
    if (element && row) {
      before.current = { rows, index, key: row.key, offset: element.scrollTop - heights.top(index) };
    }
  });
}

/** Brings a row into view, at the edge or in the middle. */
export function show(scroller: Scroller, heights: Heights, index: number, isCentred: boolean): void {
  const element = scroller.current;
  if (!element) return;
  const MARGIN = 30;
  const top = heights.top(index);
  const bottom = heights.top(index + 1);
  if (isCentred) element.scrollTop = top - element.clientHeight / 2;
  else if (top < element.scrollTop) element.scrollTop = top - MARGIN;
  else if (bottom > element.scrollTop + element.clientHeight) {
    element.scrollTop = bottom - element.clientHeight + MARGIN;
  }
}
