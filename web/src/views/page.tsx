// One page: how it looked, what was found on it, and why it is where it is.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { query, useData } from "../api";
import { Dialogue, Loaded, NotYet, Said, SitePicker, Sure, Tabs, Title, useDecide } from "../parts";
import { adjust, Link, type Place } from "../router";
import type { LabelNode, Layer, PageAnswer, PageTable, Ready } from "../shapes";
import { Known } from "./known";

export function PageView({ id, tab, place }: { id: string; tab: string; place: Place }) {
  const page = useData<PageAnswer>(`pages/${encodeURIComponent(id)}`);
  const [focus, setFocus] = useState(-1);
  return (
    <Loaded from={page}>
      {(data) => (
        <>
          <Head page={data} />
          <div class="page-body">
            <Frame page={data} place={place} focus={focus} />
            <section class="beside" aria-label="What is known">
              <Tabs
                base={`/page/${id}`}
                label="What is known about the page"
                current={tab}
                tabs={[
                  ["why", "Why"],
                  ["labels", "Labels"],
                  ["tables", "Tables"],
                  ["facts", "Everything"],
                ]}
              />
              {tab === "labels" ? (
                <Labels id={id} onFocus={setFocus} />
              ) : tab === "tables" ? (
                <Tables id={id} onFocus={setFocus} />
              ) : (
                <Known id={id} isWhole={tab === "facts"} />
              )}
            </section>
          </div>
        </>
      )}
    </Loaded>
  );
}

function Head({ page }: { page: PageAnswer }) {
  const [isOpen, setOpen] = useState(false);
  const [decide, said] = useDecide();
  return (
    <section class="head">
      <p class="crumbs">
        <Link to="/">Map</Link> ›{" "}
        {page.site ? (
          <>
            <Link to={`/site/${page.site}`}>{page.site_name || page.entry_url}</Link> ›{" "}
          </>
        ) : null}
        {page.trail.slice(1).map((crumb) => (
          <span key={crumb.page}>
            <Link to={`/page/${crumb.page}`}>{crumb.label}</Link> ›{" "}
          </span>
        ))}
      </p>
      <Title>{page.title || page.url}</Title>
      <p class="line">
        <span class="url">{page.url}</span>
        {page.method ? (
          <span>
            placed by <b>{page.method}</b>
          </span>
        ) : null}
        <Sure value={page.confidence} />
        <button type="button" class="small" onClick={() => setOpen(true)}>
          Move to another site …
        </button>
      </p>
      <Said text={said} />
      {isOpen ? (
        <Dialogue title="Which site does the page belong to?" onClose={() => setOpen(false)}>
          <SitePicker
            label="Find a site"
            except={page.site ?? ""}
            onPick={(site) => {
              void decide("move", page.url, site.entry_url);
              setOpen(false);
            }}
          />
          <p class="actions">
            <button type="button" onClick={() => setOpen(false)}>Cancel</button>
          </p>
        </Dialogue>
      ) : null}
    </section>
  );
}

const FIRST_SHOWN = ["menus", "tables"];

function Frame({ page, place, focus }: { page: PageAnswer; place: Place; focus: number }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const given = place.values.get("show");
  const ready = page.layers.filter((layer) => layer.is_ready && layer.count > 0);
  const usual = ready.some((layer) => FIRST_SHOWN.includes(layer.name)) ? FIRST_SHOWN : ["segments"];
  const shown = given === null ? usual.filter((name) => ready.some((layer) => layer.name === name)) : given.split(",");
  const bits = page.layers.reduce((sum, layer) => sum + (shown.includes(layer.name) ? layer.bit : 0), 0);
  // The frame is loaded once; layers are switched by the last part of its address, which loads nothing.
  const source = useMemo(
    () => query(`/api/pages/${page.page}/archive`, { show: shown.join(","), focus: focus >= 0 ? focus : null }),
    [page.page, focus],
  );
  useEffect(() => {
    if (focus >= 0) return;
    frame.current?.contentWindow?.location.replace(`${location.origin}${source}#ss-${bits}`);
  }, [bits]);
  const toggle = (layer: Layer) => {
    const names = page.layers
      .filter((other) => (other === layer ? !shown.includes(other.name) : shown.includes(other.name)))
      .map((other) => other.name);
    adjust({ show: names.length ? names.join(",") : "none" });
  };
  return (
    <section class="archive" aria-label="The archived page">
      <fieldset class="choice">
        <legend>Show</legend>
        {page.layers.map((layer) => (
          <label key={layer.name} class={layer.is_ready ? undefined : "muted"}>
            <input
              type="checkbox"
              checked={shown.includes(layer.name) && layer.count > 0}
              disabled={!layer.is_ready || layer.count === 0}
              onChange={() => toggle(layer)}
            />
            <svg width="10" height="10" aria-hidden="true"><rect width="10" height="10" rx="2" fill={layer.colour} /></svg>{" "}
            {layer.name} {layer.is_ready ? <span class="muted">{layer.count}</span> : <span>(not mined)</span>}
          </label>
        ))}
      </fieldset>
      <iframe
        key={source}
        ref={frame}
        src={`${source}#${focus >= 0 ? "ss-focus" : `ss-${bits}`}`}
        sandbox=""
        referrerpolicy="no-referrer"
        title="The archived page, without scripts"
      />
    </section>
  );
}

interface Branch extends LabelNode {
  below: Branch[];
}

function Labels({ id, onFocus }: { id: string; onFocus: (node: number) => void }) {
  const labels = useData<Ready<LabelNode>>(`pages/${id}/labels`);
  return (
    <Loaded from={labels}>
      {(data) => {
        if (!data.is_ready) return <NotYet what="label hierarchy" stage="partition" />;
        const byOrdinal = new Map<number, Branch>();
        const roots: Branch[] = [];
        for (const row of data.rows) {
          const branch: Branch = { ...row, below: [] };
          byOrdinal.set(row.ordinal, branch);
          (byOrdinal.get(row.parent)?.below ?? roots).push(branch);
        }
        return roots.length ? (
          <ul class="labels">
            {roots.map((branch) => (
              <Label key={branch.ordinal} branch={branch} depth={0} onFocus={onFocus} />
            ))}
          </ul>
        ) : (
          <p class="muted">The page has no label hierarchy.</p>
        );
      }}
    </Loaded>
  );
}

function Label({ branch, depth, onFocus }: { branch: Branch; depth: number; onFocus: (node: number) => void }) {
  const [isOpen, setOpen] = useState(depth < 2);
  const name = branch.label || branch.role || branch.kind;
  return (
    <li>
      <span class="row">
        {branch.below.length ? (
          <button type="button" class="fold" aria-expanded={isOpen} aria-label={`${isOpen ? "Close" : "Open"} ${name}`} onClick={() => setOpen(!isOpen)}>
            {isOpen ? "▾" : "▸"}
          </button>
        ) : (
          <span class="fold" />
        )}
        <button type="button" class="plain" title="Show it on the page" onClick={() => onFocus(branch.node)}>
          {name}
        </button>
        <span class="badge">{branch.kind === "block" ? branch.role || "block" : branch.kind}</span>
      </span>
      {isOpen && branch.below.length ? (
        <ul>
          {branch.below.map((child) => (
            <Label key={child.ordinal} branch={child} depth={depth + 1} onFocus={onFocus} />
          ))}
        </ul>
      ) : null}
    </li>
  );
}

function Tables({ id, onFocus }: { id: string; onFocus: (node: number) => void }) {
  const tables = useData<Ready<PageTable>>(`pages/${id}/tables`);
  return (
    <Loaded from={tables}>
      {(data) => {
        if (!data.is_ready) return <NotYet what="data tables" stage="tables" />;
        if (data.rows.length === 0) return <p class="muted">No table of this page holds data.</p>;
        return data.rows.map((table) => <OneTable key={table.index} table={table} onFocus={onFocus} />);
      }}
    </Loaded>
  );
}

function OneTable({ table, onFocus }: { table: PageTable; onFocus: (node: number) => void }) {
  const headers = new Set(table.header_cells.map(([row, column]) => `${row},${column}`));
  const name = table.title || `Table ${table.index + 1}`;
  return (
    <section class="data-table">
      <h2>
        <button type="button" class="plain" title="Show it on the page" onClick={() => onFocus(table.node)}>
          {name}
        </button>{" "}
        <span class="badge">{table.orientation}</span>
      </h2>
      <div class="scroll" tabIndex={0} role="region" aria-label={name}>
        <table>
          <tbody>
            {table.grid.map((row, r) => (
              <tr key={r}>
                {row.map((cell, c) => (headers.has(`${r},${c}`) ? <th key={c}>{cell}</th> : <td key={c}>{cell}</td>))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
