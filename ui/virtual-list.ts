import { signal } from "@preact/signals";
import type { VNode } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { html } from "./html.ts";

/** How high a row of calls is: on a narrow screen a call has two lines, which a finger can hit. */
export const rowHeight = signal(28);
export const isNarrow = matchMedia("(max-width: 600px)");
const look = () => {
  rowHeight.value = isNarrow.matches ? 52 : 28;
};
isNarrow.addEventListener("change", look);
look();

/** A long list of which only the rows on the screen are in the page. */
interface VirtualListProps<T> {
  readonly label: string;
  readonly items: readonly T[];
  readonly rowHeight: number;
  readonly keyOf: (item: T) => string;
  readonly row: (item: T) => VNode;
  /** What of an item may change while it is listed; a row is drawn again when it does. */
  readonly stateOf?: (item: T) => unknown;
  readonly selected: string | undefined;
  readonly onSelect: (item: T) => void;
  readonly onOpen?: (item: T) => void;
  /** Stays at the top while new rows come. */
  readonly follows?: boolean;
  /** Reads more at the end; called when the person has come near to it. */
  readonly onEnd?: (() => void) | undefined;
  /** Nested rows: how deep each is, and whether it is open; undefined for what cannot be opened. */
  readonly tree?: {
    readonly levelOf: (item: T) => number;
    readonly isOpen: (item: T) => boolean | undefined;
    readonly toggle: (item: T) => void;
  };
}

/** A list box, or a tree: arrows, j and k, page keys, Home and End move; Enter opens; right and left open and close a folder. */
export function VirtualList<T>(props: VirtualListProps<T>): VNode {
  const { items, rowHeight, keyOf, selected, label } = props;
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 600 });
  const first = useRef<string | undefined>(undefined);
  const latest = useRef(props);
  latest.current = props;
  const drawn = useRef(new Map<number, DrawnRow<T>>());
  /** The last item, and how many have come after the one that was the last at first. */
  const ended = useRef<{ readonly key: string | undefined; readonly count: number }>({ key: undefined, count: 0 });

  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const look = () => setView({ top: element.scrollTop, height: element.clientHeight });
    look();
    element.addEventListener("scroll", look, { passive: true });
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => {
      element.removeEventListener("scroll", look);
      observer.disconnect();
    };
  }, []);

  // Rows that come in above do not move what the person reads.
  useLayoutEffect(() => {
    const element = box.current;
    const top = items[0] === undefined ? undefined : keyOf(items[0]);
    const before = first.current;
    first.current = top;
    // The last scroll position is checked first: the element itself would have to be laid out for its answer.
    if (element === null || before === undefined || top === before || view.top === 0) return;
    if (props.follows) {
      element.scrollTop = 0;
      return;
    }
    const came = items.slice(0, 5000).findIndex((item) => keyOf(item) === before);
    if (came > 0) element.scrollTop += came * rowHeight;
  }, [items]);

  const at = useMemo(
    () => (selected === undefined ? -1 : items.findIndex((item) => keyOf(item) === selected)),
    [items, selected],
  );
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null || at < 0) return;
    const top = at * rowHeight;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + rowHeight > element.scrollTop + element.clientHeight)
      element.scrollTop = top + rowHeight - element.clientHeight;
  }, [selected]);

  const start = Math.max(0, Math.floor(view.top / rowHeight) - OVERSCAN);
  const end = Math.min(items.length, start + Math.min(MAX_ROWS, Math.ceil(view.height / rowHeight) + 2 * OVERSCAN));

  useEffect(() => {
    if (end > items.length - NEAR_END) props.onEnd?.();
  }, [end, items]);

  const move = (to: number) => {
    const item = items[Math.max(0, Math.min(items.length - 1, to))];
    if (item !== undefined) props.onSelect(item);
  };
  /** Opens or closes a folder; what is open already, or cannot be closed, leads to its content or to its parent. */
  const openOrMove = (isClosing: boolean) => {
    const { tree } = props;
    const item = items[at];
    if (tree === undefined || item === undefined) return;
    if (tree.isOpen(item) === isClosing) tree.toggle(item);
    else if (!isClosing) tree.isOpen(item) === true && move(at + 1);
    else move(items.findLastIndex((other, place) => place < at && tree.levelOf(other) < tree.levelOf(item)));
  };
  const page = Math.max(1, Math.floor(view.height / rowHeight) - 1);
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => move(at + 1),
    j: () => move(at + 1),
    ArrowUp: () => move(at - 1),
    k: () => move(at - 1),
    PageDown: () => move(at + page),
    PageUp: () => move(at - page),
    Home: () => move(0),
    End: () => move(items.length - 1),
    Enter: () => items[at] !== undefined && props.onOpen?.(items[at]),
    ...(props.tree && {
      ArrowRight: () => openOrMove(false),
      ArrowLeft: () => openOrMove(true),
      " ": () => openOrMove(items[at] !== undefined && props.tree?.isOpen(items[at]) === true),
    }),
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const act = event.ctrlKey || event.metaKey || event.altKey ? undefined : keys[event.key];
    if (act === undefined) return;
    event.preventDefault();
    act();
  };

  // An element is used again for another item once its own has left the screen. Places are counted from the item that was the last
  // one at first, so that rows that come in above or at the end move no other to another element. What is the same as before is
  // handed over as it was, and costs nothing.
  const slots = end - start;
  const { key: lastKey, count } = ended.current;
  const lastAt = lastKey === undefined ? -1 : items.findLastIndex((item) => keyOf(item) === lastKey);
  const came = lastAt < 0 ? 0 : items.length - 1 - lastAt;
  const lastItem = items.at(-1);
  ended.current = { key: lastItem && keyOf(lastItem), count: lastAt < 0 ? 0 : count + came };
  const rows = items.slice(start, end).map((item, offset) => {
    const place = start + offset;
    const below = items.length - 1 - place;
    const slot = (((below - ended.current.count) % slots) + slots) % slots;
    const key = keyOf(item);
    const isSelected = key === selected;
    const isOpen = props.tree?.isOpen(item);
    const given = [item, props.row, props.stateOf?.(item), isOpen] as const;
    const before = drawn.current.get(slot);
    const isSame = before !== undefined && given.every((value, at) => value === before.given[at]);
    const node = isSame ? before.node : props.row(item);
    if (!isSame) drawn.current.set(slot, { given, node });
    return html`<div role=${props.tree ? "treeitem" : "option"} id=${rowId(key)} key=${slot} class="virtual-row" aria-selected=${isSelected}
      aria-level=${props.tree?.levelOf(item)} aria-expanded=${isOpen}
      aria-setsize=${items.length} aria-posinset=${place + 1} style=${{ bottom: `${below * rowHeight}px`, height: `${rowHeight}px` }}
      onClick=${() => latest.current.onSelect(item)} onDblClick=${() => latest.current.onOpen?.(item)}>${node}</div>`;
  });

  return html`<div class="virtual" style=${{ "--list": `${items.length * rowHeight}px` }} ref=${box} role=${props.tree ? "tree" : "listbox"} tabindex="0" aria-label=${label} onKeyDown=${onKeyDown}
    aria-activedescendant=${at >= start && at < end && selected ? rowId(selected) : undefined}>
    <div class="virtual-space" style=${{ height: `${items.length * rowHeight}px` }} role="presentation">${rows}</div>
  </div>`;
}

/** A row as it was drawn last, and what it was drawn from. */
interface DrawnRow<T> {
  readonly given: readonly [T, ...unknown[]];
  readonly node: VNode;
}

function rowId(key: string): string {
  return `row-${key}`;
}

const OVERSCAN = 3;
/** How many rows before the end more are read. */
const NEAR_END = 300;
/** Never more rows in the page than this. */
const MAX_ROWS = 180;
