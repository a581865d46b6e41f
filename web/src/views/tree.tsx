// The hierarchy of a site, opened a level at a time; keys as in the ARIA practices for trees.
import { useRef, useState } from "preact/hooks";
import { ahead, query, useData } from "../api";
import { Loaded, NotYet, SearchBox } from "../parts";
import { adjust, go, Link, type Place } from "../router";
import type { Ready, Site, TreeChild, TreeHit } from "../shapes";
import { count } from "../text";
import { placeName } from "../words";

export function SiteTree({ site, place }: { site: Site; place: Place }) {
  const q = place.values.get("q") ?? "";
  if (!site.has_tree) return <NotYet what="hierarchy" stage="tree" />;
  return (
    <section aria-label="Hierarchy">
      <div class="bar">
        <SearchBox value={q} onSearch={(text) => adjust({ q: text })} label="Find in the tree" />
      </div>
      {q ? <Hits site={site.site} q={q} /> : <Tree site={site.site} name={site.name} />}
    </section>
  );
}

const levelPath = (site: string, parent: string | null): string => query(`sites/${site}/tree`, { parent });

/** Ask for the two levels that are open at first. */
export async function treeAhead(site: string): Promise<void> {
  const top = await ahead<Ready<TreeChild>>(levelPath(site, null));
  for (const row of top?.rows.slice(0, 1) ?? []) await ahead(levelPath(site, row.page));
}

function Hits({ site, q }: { site: string; q: string }) {
  const found = useData<Ready<TreeHit>>(query(`sites/${site}/tree`, { q }));
  return (
    <Loaded from={found}>
      {(data) => (
        <>
          <ul class="hits">
            {data.rows.map((row) => (
              <li key={row.page}>
                <p class="crumbs">
                  {row.trail.map((crumb) => (
                    <span key={crumb.page}>
                      <Link to={`/page/${crumb.page}`}>{crumb.label}</Link> ›{" "}
                    </span>
                  ))}
                </p>
                <Link to={`/page/${row.page}`}>{row.label}</Link>
              </li>
            ))}
          </ul>
          {data.rows.length === 0 ? <p class="muted">Nothing in the tree matches.</p> : null}
        </>
      )}
    </Loaded>
  );
}

function Tree({ site, name }: { site: string; name: string }) {
  const root = useRef<HTMLUListElement>(null);
  const move = (event: KeyboardEvent) => {
    const item = (event.target as HTMLElement).closest<HTMLElement>("[role=treeitem]");
    if (!item || !root.current) return;
    const all = [...root.current.querySelectorAll<HTMLElement>("[role=treeitem]")];
    const place = all.indexOf(item);
    const isOpen = item.getAttribute("aria-expanded");
    let next: HTMLElement | undefined | null;
    if (event.key === "ArrowDown") next = all[place + 1];
    else if (event.key === "ArrowUp") next = all[place - 1];
    else if (event.key === "Home") next = all[0];
    else if (event.key === "End") next = all[all.length - 1];
    else if (event.key === "ArrowRight") {
      if (isOpen === "false") item.querySelector<HTMLElement>(".fold")?.click();
      else if (isOpen === "true") next = item.parentElement?.querySelector<HTMLElement>(":scope > ul [role=treeitem]");
    } else if (event.key === "ArrowLeft") {
      if (isOpen === "true") item.querySelector<HTMLElement>(".fold")?.click();
      else next = item.closest("ul")?.parentElement?.querySelector<HTMLElement>(":scope > [role=treeitem]");
    } else if (event.key === "Enter") {
      const page = item.dataset.page;
      if (page) go(`/page/${page}`);
    } else return;
    event.preventDefault();
    next?.focus();
  };
  return (
    <ul class="tree" role="tree" aria-label={`Hierarchy of ${name}`} ref={root} onKeyDown={move}>
      <Level site={site} parent={null} depth={1} />
    </ul>
  );
}

function Level({ site, parent, depth }: { site: string; parent: string | null; depth: number }) {
  const found = useData<Ready<TreeChild>>(levelPath(site, parent));
  const rows = found.data?.rows ?? [];
  if (!found.data) return <li role="none" class="muted">{found.error?.message ?? "Loading …"}</li>;
  return (
    <>
      {rows.map((row, place) => (
        <Node key={row.page} site={site} row={row} depth={depth} isFirst={depth === 1 && place === 0} />
      ))}
      {(found.data.total ?? 0) > rows.length ? (
        <li role="none" class="muted">and {count((found.data.total ?? 0) - rows.length)} more; search for them</li>
      ) : null}
    </>
  );
}

function Node({ site, row, depth, isFirst }: { site: string; row: TreeChild; depth: number; isFirst: boolean }) {
  const [isOpen, setOpen] = useState(depth === 1);
  const hasChildren = row.children > 0;
  return (
    <li role="none">
      <div
        class="row"
        role="treeitem"
        aria-level={depth}
        aria-expanded={hasChildren ? isOpen : undefined}
        tabIndex={isFirst ? 0 : -1}
        data-page={row.page}
      >
        {hasChildren ? (
          <button type="button" class="fold" tabIndex={-1} aria-hidden="true" onClick={() => setOpen(!isOpen)}>
            {isOpen ? "▾" : "▸"}
          </button>
        ) : (
          <span class="fold" />
        )}
        <a
          href={`/page/${row.page}`}
          tabIndex={-1}
          title={row.url}
          onClick={(event) => {
            if (event.metaKey || event.ctrlKey || event.shiftKey) return;
            event.preventDefault();
            go(`/page/${row.page}`);
          }}
        >
          {row.label}
        </a>
        {row.is_subsite ? <span class="badge">subsite</span> : null}
        {hasChildren ? <span class="muted number">{count(row.pages)}</span> : null}
        {row.evidence.length ? <span class="why muted" title="What says that it stands here">{row.evidence.slice(0, 2).map(placeName).join(", ")}</span> : null}
      </div>
      {hasChildren && isOpen ? (
        <ul role="group">
          <Level site={site} parent={row.page} depth={depth + 1} />
        </ul>
      ) : null}
    </li>
  );
}
