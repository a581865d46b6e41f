// One page: how it looked, what was found on it, and why it is where it is.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { get, useData } from "../api";
import { Dialogue, Loaded, NotYet, Said, SitePicker, Sure, Tabs, Title, useDecide } from "../parts";
import { adjust, go, Link, type Place } from "../router";
import type { LabelNode, LabelsAnswer, Layer, PageAnswer, PageTable, Ready } from "../shapes";
import { count } from "../text";
import { method } from "../words";
import { Known } from "./known";

export function PageView({ id, tab, place }: { id: string; tab: string; place: Place }) {
  const page = useData<PageAnswer>(`pages/${encodeURIComponent(id)}`);
  const given = Number.parseInt(place.values.get("at") ?? "", 10);
  const focus = Number.isNaN(given) ? -1 : given;
  const pick = (node: number) => adjust({ at: String(node) });
  // What is chosen in the page is shown among its labels, unless the list of tables has it.
  const picked = (node: number) => {
    if (node < 0 || tab === "tables" || tab === "labels") return adjust({ at: node < 0 ? null : String(node) });
    const values = new URLSearchParams(location.search);
    values.set("at", String(node));
    go(`/page/${id}/labels?${values}`, "replace");
  };
  return (
    <Loaded from={page}>
      {(data) => (
        <>
          <Head page={data} />
          <div class="page-body">
            <Frame key={data.page} page={data} place={place} focus={focus} onPick={picked} />
            <section class="beside" aria-label="What is known">
              <Tabs
                base={`/page/${id}`}
                label="What is known about the page"
                current={tab}
                search={location.search}
                tabs={[
                  ["why", "Why"],
                  ["labels", "Labels"],
                  ["tables", "Tables"],
                  ["facts", "Everything"],
                ]}
              />
              {tab === "labels" ? (
                <Labels id={id} focus={focus} onFocus={pick} />
              ) : tab === "tables" ? (
                <Tables id={id} focus={focus} onFocus={pick} />
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
            placed by {method(page.method)}
          </span>
        ) : null}
        {page.site ? <Sure value={page.confidence} inWords /> : null}
      </p>
      <p class="actions">
        <button type="button" class="small" onClick={() => setOpen(true)}>
          Move to another site …
        </button>
        {page.is_apart ? (
          <button type="button" class="small" onClick={() => void decide("separate", page.url)}>
            Make its subsite a site of its own
          </button>
        ) : null}
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

const FIRST_SHOWN = ["menus", "tables", "records"];

interface FrameProps { page: PageAnswer; place: Place; focus: number; onPick: (node: number) => void }

function Frame({ page, place, focus, onPick }: FrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const view = useMemo(() => [...crypto.getRandomValues(new Uint32Array(3))].map((part) => part.toString(36)).join(""), []);
  const given = place.values.get("show");
  const ready = page.layers.filter((layer) => layer.is_ready && layer.count > 0);
  const usual = ready.some((layer) => FIRST_SHOWN.includes(layer.name)) ? FIRST_SHOWN : ["segments", "blocks"];
  const shown = given === null ? usual.filter((name) => ready.some((layer) => layer.name === name)) : given.split(",");
  const bits = page.layers.reduce((sum, layer) => sum + (shown.includes(layer.name) ? layer.bit : 0), 0);
  // The frame is loaded anew for another focus; layers are switched by the last part of its address, which loads nothing.
  const source = (node: number) =>
    `/api/pages/${page.page}/archive?view=${view}&focus=${node}#${node >= 0 ? "ss-f-" : "ss-"}${bits}`;
  const first = useMemo(() => source(focus), []);
  const latest = useRef(source);
  latest.current = source;
  const isLoaded = useRef(false);
  const picks = useRef(0); // clicks in the frame that were seen to
  useEffect(() => {
    if (isLoaded.current) frame.current?.contentWindow?.location.replace(location.origin + source(focus));
  }, [bits, focus]);
  // A click in the frame loads it with another focus. It can tell nobody, but the server knows, and tells clicks from
  // what this view loads itself: a late answer to an earlier click must not undo what was chosen since.
  const loaded = async () => {
    const isFirst = !isLoaded.current;
    isLoaded.current = true;
    if (isFirst) return;
    const look = await get<{ focus: number; count: number }>(`looks/${view}`).catch(() => null);
    if (look === null || look.count === picks.current) return;
    picks.current = look.count;
    frame.current?.contentWindow?.location.replace(location.origin + latest.current(look.focus));
    onPick(look.focus);
  };
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
            {layer.name} <span class="muted">{layer.is_ready ? layer.count : `(${layer.why})`}</span>
          </label>
        ))}
      </fieldset>
      <iframe
        ref={frame}
        src={first}
        onLoad={() => void loaded()}
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

function Labels({ id, focus, onFocus }: { id: string; focus: number; onFocus: (node: number) => void }) {
  const labels = useData<LabelsAnswer>(`pages/${id}/labels`);
  return (
    <Loaded from={labels}>
      {(data) =>
        data.is_ready ? (
          <LabelTree rows={data.rows} total={data.total} focus={focus} onFocus={onFocus} />
        ) : (
          <p class="muted">No label hierarchy. {data.reason}</p>
        )
      }
    </Loaded>
  );
}

interface LabelTreeProps { rows: LabelNode[]; total: number; focus: number; onFocus: (node: number) => void }

function LabelTree({ rows, total, focus, onFocus }: LabelTreeProps) {
  const [branches, roots] = useMemo(() => {
    const byOrdinal = new Map<number, Branch>();
    const top: Branch[] = [];
    for (const row of rows) {
      const branch: Branch = { ...row, below: [] };
      byOrdinal.set(row.ordinal, branch);
      // The root stands for the page itself.
      if (row.kind !== "root") (row.parent > 0 ? byOrdinal.get(row.parent)?.below : top)?.push(branch);
    }
    return [byOrdinal, top];
  }, [rows]);
  // What is in focus, or the first label inside it.
  const chosen = useMemo(() => {
    if (focus < 0) return -1;
    const inside = rows.filter((row) => row.kind !== "root");
    return (inside.find((row) => row.node === focus) ?? inside.find((row) => row.label && row.leaf >= focus))?.ordinal ?? -1;
  }, [rows, focus]);
  const open = useMemo(() => {
    const above = new Set<number>();
    for (let at = branches.get(chosen); at; at = branches.get(at.parent)) above.add(at.parent);
    return above;
  }, [branches, chosen]);
  if (roots.length === 0) return <p class="muted">The page has no label hierarchy.</p>;
  return (
    <>
      {total > rows.length ? <p class="muted">The first {count(rows.length)} of {count(total)} labels.</p> : null}
      <ul class="labels">
        {roots.map((branch) => (
          <Label key={branch.ordinal} branch={branch} depth={0} chosen={chosen} open={open} onFocus={onFocus} />
        ))}
      </ul>
    </>
  );
}

/** What has no label of its own is called by what it holds. */
function preview(branch: Branch): string {
  const names: string[] = [];
  const visit = (one: Branch) => {
    if (one.label) names.push(one.label);
    else for (const child of one.below) if (names.length < 4) visit(child);
  };
  visit(branch);
  const text = names.slice(0, 3).join(", ") + (names.length > 3 ? ", …" : "");
  return text.length > 80 ? `${text.slice(0, 79)}…` : text || branch.kind;
}

interface LabelProps { branch: Branch; depth: number; chosen: number; open: Set<number>; onFocus: (node: number) => void }

function Label({ branch, depth, chosen, open, onFocus }: LabelProps) {
  const [isOpen, setOpen] = useState(depth < 1 || open.has(branch.ordinal));
  const row = useRef<HTMLSpanElement>(null);
  const isChosen = branch.ordinal === chosen;
  useEffect(() => {
    if (open.has(branch.ordinal)) setOpen(true);
  }, [open]);
  useEffect(() => {
    if (isChosen) row.current?.scrollIntoView({ block: "nearest" });
  }, [isChosen]);
  const name = branch.label || preview(branch);
  return (
    <li>
      <span class="row" ref={row}>
        {branch.below.length ? (
          <button type="button" class="fold" aria-expanded={isOpen} aria-label={`${isOpen ? "Close" : "Open"} ${name}`} onClick={() => setOpen(!isOpen)}>
            {isOpen ? "▾" : "▸"}
          </button>
        ) : (
          <span class="fold" />
        )}
        <button
          type="button"
          class={branch.label ? "plain" : "plain muted"}
          title="Show it on the page"
          aria-current={isChosen ? "true" : undefined}
          onClick={() => onFocus(branch.node)}
        >
          {name}
        </button>
        {branch.kind === "leaf" ? null : <span class="badge">{branch.kind === "block" ? branch.role : branch.kind}</span>}
      </span>
      {isOpen && branch.below.length ? (
        <ul>
          {branch.below.map((child) => (
            <Label key={child.ordinal} branch={child} depth={depth + 1} chosen={chosen} open={open} onFocus={onFocus} />
          ))}
        </ul>
      ) : null}
    </li>
  );
}

function Tables({ id, focus, onFocus }: { id: string; focus: number; onFocus: (node: number) => void }) {
  const tables = useData<Ready<PageTable>>(`pages/${id}/tables`);
  return (
    <Loaded from={tables}>
      {(data) => {
        if (!data.is_ready) return <NotYet what="data tables" stage="tables" />;
        if (data.rows.length === 0) return <p class="muted">No table of this page holds data.</p>;
        return data.rows.map((table) => (
          <OneTable key={table.index} table={table} isChosen={table.node === focus} onFocus={onFocus} />
        ));
      }}
    </Loaded>
  );
}

function OneTable({ table, isChosen, onFocus }: { table: PageTable; isChosen: boolean; onFocus: (node: number) => void }) {
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isChosen) section.current?.scrollIntoView({ block: "nearest" });
  }, [isChosen]);
  const headers = new Set(table.header_cells.map(([row, column]) => `${row},${column}`));
  const name = table.title || `Table ${table.index + 1}`;
  return (
    <section class="data-table" ref={section}>
      <h2>
        <button
          type="button"
          class="plain"
          title="Show it on the page"
          aria-current={isChosen ? "true" : undefined}
          onClick={() => onFocus(table.node)}
        >
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
