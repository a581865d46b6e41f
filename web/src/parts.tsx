// Pieces that several views are made of.
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { post, query, useData, type Data } from "./api";
import { Link } from "./router";
import type { Screen, SiteRow } from "./shapes";
import { count, percent, shortUrl } from "./text";

export function Title({ children }: { children: ComponentChildren }) {
  return <h1 tabIndex={-1}>{children}</h1>;
}

export function Notice({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <section class="notice">
      <Title>{title}</Title>
      {children}
    </section>
  );
}

/** Say that something is on its way, failed or was not mined; show it otherwise. */
export function Loaded<T>({ from, children, why }: { from: Data<T>; children: (data: T) => ComponentChildren; why?: string }) {
  if (from.error) return <p class="error" role="alert">{from.error.message}</p>;
  if (from.data === undefined) return <p class="muted" role="status">Loading … {why}</p>;
  return <div class={from.isLoading ? "stale" : undefined}>{children(from.data)}</div>;
}

export function NotYet({ what, stage }: { what: string; stage: string }) {
  return (
    <p class="muted">
      No {what} yet: the stage <code>{stage}</code> has not run in this workspace. <Link to="/run">Mine again</Link> to
      make them.
    </p>
  );
}

export function Sure({ value, inWords }: { value: number; inWords?: boolean }) {
  return (
    <span class="sure" title={`confidence ${percent(value)}`}>
      <meter min={0} max={1} value={value} aria-label={`confidence ${percent(value)}`} />
      <span class="number">{percent(value)}{inWords ? " sure" : ""}</span>
    </span>
  );
}

export function Url({ url }: { url: string }) {
  return <span class="url">{shortUrl(url)}</span>;
}

interface TabsProps { base: string; tabs: [string, string][]; current: string; label: string; search?: string }

export function Tabs({ base, tabs, current, label, search = "" }: TabsProps) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(([path, name]) => (
        <Link key={path} to={`${base}/${path}${search}`} current={path === current}>
          {name}
        </Link>
      ))}
    </nav>
  );
}

/** An input whose text is handed on when typing pauses. */
export function SearchBox({ value, onSearch, label }: { value: string; onSearch: (text: string) => void; label: string }) {
  const [text, setText] = useState(value);
  const timer = useRef(0);
  const id = useId();
  useEffect(() => setText(value), [value]);
  const change = (now: string) => {
    setText(now);
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => onSearch(now.trim()), 180);
  };
  return (
    <span class="search">
      <label class="hidden" for={id}>
        {label}
      </label>
      <input
        id={id}
        type="search"
        value={text}
        placeholder={label}
        maxLength={200}
        spellcheck={false}
        autocomplete="off"
        onInput={(event) => change(event.currentTarget.value)}
      />
    </span>
  );
}

export interface Column<T> {
  name: string;
  title: string;
  sort?: boolean;
  number?: boolean;
  cell: (row: T) => ComponentChildren;
}

interface TableProps<T> {
  caption: string;
  columns: Column<T>[];
  rows: T[];
  keyOf: (row: T) => string;
  sort?: string;
  descending?: boolean;
  onSort?: (name: string, descending: boolean) => void;
}

export function Table<T>({ caption, columns, rows, keyOf, sort, descending, onSort }: TableProps<T>) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={caption}>
      <table>
        <caption class="hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => {
              const isSorted = column.name === sort;
              return (
                <th
                  key={column.name}
                  scope="col"
                  class={column.number ? "number" : undefined}
                  aria-sort={isSorted ? (descending ? "descending" : "ascending") : undefined}
                >
                  {column.sort && onSort ? (
                    <button type="button" class="plain" onClick={() => onSort(column.name, isSorted ? !descending : Boolean(column.number))}>
                      {column.title}
                      <span aria-hidden="true">{isSorted ? (descending ? " ↓" : " ↑") : ""}</span>
                    </button>
                  ) : (
                    column.title
                  )}
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map((column) => (
                <td key={column.name} class={column.number ? "number" : undefined}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function Pager<T>({ screen, shown, onMove }: { screen: Screen<T>; shown: number; onMove: (cursor: string) => void }) {
  return (
    <p class="pager">
      <button type="button" disabled={!screen.previous} onClick={() => screen.previous && onMove(screen.previous)}>
        Previous
      </button>
      <button type="button" disabled={!screen.next} onClick={() => screen.next && onMove(screen.next)}>
        Next
      </button>
      <span class="muted">
        {count(shown)} of {count(screen.total)}
      </span>
    </p>
  );
}

/** A dialogue that is open as long as it is on the page. */
export function Dialogue({ title, onClose, children }: { title: string; onClose: () => void; children: ComponentChildren }) {
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => ref.current?.showModal(), []);
  return (
    <dialog ref={ref} aria-label={title} onClose={onClose}>
      <h2>{title}</h2>
      {children}
    </dialog>
  );
}

/** Let a person choose a site by typing a part of its name or address. */
export function SitePicker({ label, except, onPick }: { label: string; except?: string; onPick: (site: SiteRow) => void }) {
  const [text, setText] = useState("");
  const found = useData<Screen<SiteRow>>(query("sites", { q: text, limit: 8 }));
  return (
    <div class="picker">
      <SearchBox value={text} onSearch={setText} label={label} />
      <ul>
        {(found.data?.rows ?? [])
          .filter((row) => row.site !== except)
          .map((row) => (
            <li key={row.site}>
              <button type="button" onClick={() => onPick(row)}>
                <strong>{row.name}</strong> <Url url={row.entry_url} /> <span class="muted">{count(row.pages)}</span>
              </button>
            </li>
          ))}
      </ul>
    </div>
  );
}

/** Keep a decision; say what became of it. */
export function useDecide(): [(kind: string, subject: string, object?: string) => Promise<boolean>, string] {
  const [said, setSaid] = useState("");
  const decide = async (kind: string, subject: string, object = "") => {
    try {
      await post("decisions", { kind, subject, object });
      setSaid("Kept. Mine again to apply it.");
      return true;
    } catch (error) {
      setSaid((error as Error).message);
      return false;
    }
  };
  return [decide, said];
}

export function Said({ text }: { text: string }) {
  return (
    <p class="said" role="status">
      {text}
      {text.startsWith("Kept") ? (
        <>
          {" "}
          <Link to="/correct">See the decisions</Link>
        </>
      ) : null}
    </p>
  );
}
