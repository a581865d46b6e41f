// Two workspaces of the same sites, before and after.
import { query, useData } from "../api";
import { Loaded, SearchBox, Table, Title, Url, type Column } from "../parts";
import { adjust, Link, type Place } from "../router";
import type { ChangedPage, Comparison, Overview } from "../shapes";
import { count, plural } from "../text";

export function CompareView({ name, overview, place }: { name: string | undefined; overview: Overview | undefined; place: Place }) {
  const names = overview?.compare ?? [];
  if (!names.length) {
    return (
      <>
        <Title>Compare</Title>
        <p class="muted">
          There is nothing to compare with. Start with <code>sitestrata serve WS --compare EARLIER</code>.
        </p>
      </>
    );
  }
  const chosen = name ?? names[0]!;
  return (
    <>
      <Title>
        {chosen} → {overview?.name}
      </Title>
      {names.length > 1 ? (
        <nav class="tabs" aria-label="Workspaces">
          {names.map((other) => (
            <Link key={other} to={`/compare/${encodeURIComponent(other)}`} current={other === chosen}>
              {other}
            </Link>
          ))}
        </nav>
      ) : null}
      <Changes name={chosen} place={place} />
    </>
  );
}

const KINDS = ["moved", "new", "lost"] as const;
const STEP = 50;

function Changes({ name, place }: { name: string; place: Place }) {
  const path = `compare/${encodeURIComponent(name)}`;
  const whole = useData<Comparison>(path);
  return <Loaded from={whole}>{(data) => <Changed data={data} path={path} place={place} />}</Loaded>;
}

function Changed({ data, path, place }: { data: Comparison; path: string; place: Place }) {
  const given = KINDS.find((item) => item === place.values.get("kind"));
  // Without a wish, the first kind of which there is something.
  const kind = given ?? KINDS.find((item) => data.counts[item] > 0) ?? "moved";
  return (
    <>
      {data.counts.kept + data.counts.moved === 0 ? (
        <p class="banner">The two workspaces have no page in common. Are they of the same sites?</p>
      ) : null}
      <div class="tiles" role="group" aria-label="Kinds of change">
        {KINDS.map((item) => (
          <button key={item} type="button" class="tile" aria-pressed={item === kind} onClick={() => adjust({ kind: item, from: null })}>
            <b>{count(data.counts[item])}</b> {item} pages
          </button>
        ))}
        <span class="tile">
          <b>{count(data.counts.kept)}</b> in both
        </span>
      </div>
      <Pages path={path} kind={kind} place={place} total={data.counts[kind]} />
      <h2>Main menus that changed</h2>
      {data.menus.length === 0 ? <p class="muted">None.</p> : null}
      <div class="cards">
        {data.menus.map((menu) => (
          <section key={menu.site} class="card">
            <h3>
              <Link to={`/site/${menu.site}`}>{menu.name}</Link>
            </h3>
            <ul class="items">
              {menu.came.map((item) => (
                <li key={item.url} class="came">
                  + {item.label || item.url}
                </li>
              ))}
              {menu.gone.map((item) => (
                <li key={item.url} class="gone">
                  − {item.label || item.url}
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
      <h2>Sites</h2>
      <Table
        caption="Sites before and after"
        rows={data.sites}
        keyOf={(row) => `${row.before.entry_url} ${row.after.site}`}
        columns={[
          { name: "before", title: "Before", cell: (row) => row.before.name || row.before.entry_url },
          { name: "after", title: "After", cell: (row) => <Link to={`/site/${row.after.site}`}>{row.after.name || row.after.entry_url}</Link> },
          { name: "old", title: "Pages before", number: true, cell: (row) => count(row.before.pages) },
          { name: "new", title: "Pages after", number: true, cell: (row) => count(row.after.pages) },
          { name: "shared", title: "Shared", number: true, cell: (row) => count(row.shared) },
        ]}
      />
    </>
  );
}

const COLUMNS: Column<ChangedPage>[] = [
  { name: "title", title: "Title", cell: (row) => (row.page ? <Link to={`/page/${row.page}`}>{row.title || "(no title)"}</Link> : row.title || "(no title)") },
  { name: "url", title: "Address", cell: (row) => <Url url={row.url} /> },
  { name: "before", title: "Site before", cell: (row) => row.before },
  { name: "after", title: "Site after", cell: (row) => row.after },
];

function Pages({ path, kind, place, total }: { path: string; kind: string; place: Place; total: number }) {
  const q = place.values.get("q") ?? "";
  const offset = Number(place.values.get("from")) || 0;
  const found = useData<{ rows: ChangedPage[] }>(query(`${path}/pages`, { kind, q, limit: STEP, offset: offset || null }));
  return (
    <section aria-label={`${kind} pages`}>
      <div class="bar">
        <SearchBox value={q} onSearch={(text) => adjust({ q: text, from: null })} label="Title or address" />
      </div>
      <Loaded from={found}>
        {(data) =>
          data.rows.length ? (
            <Table caption={`${kind} pages`} columns={COLUMNS} rows={data.rows} keyOf={(row) => row.url} />
          ) : (
            <p class="muted">No {kind} page{q ? " matches" : ""}.</p>
          )
        }
      </Loaded>
      <p class="pager">
        <button type="button" disabled={offset === 0} onClick={() => adjust({ from: String(Math.max(0, offset - STEP)) })}>
          Previous
        </button>
        <button type="button" disabled={(found.data?.rows.length ?? 0) < STEP} onClick={() => adjust({ from: String(offset + STEP) })}>
          Next
        </button>
        <span class="muted">{plural(total, "page")}</span>
      </p>
    </section>
  );
}
