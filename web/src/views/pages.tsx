// Pages as a table, over all sites or of one.
import { query, useData } from "../api";
import { Loaded, Pager, SearchBox, Sure, Table, Title, Url, type Column } from "../parts";
import { adjust, Link, type Place } from "../router";
import type { PageRow, Screen } from "../shapes";
import { count } from "../text";

const COLUMNS: Column<PageRow>[] = [
  {
    name: "title",
    title: "Title",
    sort: true,
    cell: (row) => <Link to={`/page/${row.page}`}>{row.title || "(no title)"}</Link>,
  },
  { name: "url", title: "Address", sort: true, cell: (row) => <Url url={row.url} /> },
  { name: "language", title: "Language", sort: true, cell: (row) => row.language },
  { name: "links", title: "Links", sort: true, number: true, cell: (row) => count(row.links) },
  { name: "text", title: "Characters", sort: true, number: true, cell: (row) => count(row.text) },
  { name: "method", title: "Method", sort: true, cell: (row) => row.method },
  { name: "confidence", title: "Confidence", sort: true, number: true, cell: (row) => <Sure value={row.confidence} /> },
];

export function PagesView({ place }: { place: Place }) {
  return (
    <>
      <Title>Pages</Title>
      <PagesTable place={place} />
    </>
  );
}

const FIRST = { q: "", site: "", subsite: "", host: "", sort: "url", descending: false, limit: 50, cursor: "" };

/** Return what the table of a site's pages asks for first. */
export const firstPages = (site: string): string => query("pages", { ...FIRST, site });

export function PagesTable({ place, site }: { place: Place; site?: string }) {
  const value = (name: string) => place.values.get(name) ?? "";
  const sort = value("sort") || "url";
  const descending = value("desc") === "1";
  const subsite = value("subsite");
  const host = value("host");
  const found = useData<Screen<PageRow>>(
    query("pages", { ...FIRST, q: value("q"), site, subsite, host, sort, descending, cursor: value("cursor") }),
  );
  return (
    <section aria-label="Pages">
      <div class="bar">
        <SearchBox value={value("q")} onSearch={(text) => adjust({ q: text, cursor: null })} label="Title or address" />
        {subsite || host ? (
          <button type="button" onClick={() => adjust({ subsite: null, host: null, cursor: null })}>
            {host ? `Only ${host}` : "Only one subsite"} ×
          </button>
        ) : null}
      </div>
      <Loaded from={found}>
        {(screen) => (
          <>
            <Table
              caption="Pages"
              columns={COLUMNS}
              rows={screen.rows}
              keyOf={(row) => row.page}
              sort={sort}
              descending={descending}
              onSort={(name, isFalling) => adjust({ sort: name, desc: isFalling ? "1" : null, cursor: null })}
            />
            {screen.rows.length === 0 ? <p class="muted">No page matches.</p> : null}
            <Pager screen={screen} shown={screen.rows.length} onMove={(to) => adjust({ cursor: to }, "push")} />
          </>
        )}
      </Loaded>
    </section>
  );
}
