// The concepts of a domain, their labels and evidence, and their instances with facets.
import { useState } from "preact/hooks";
import { query, useData } from "../api";
import { Loaded, NotYet, Said, SearchBox, Sure, Title, Url, useDecide } from "../parts";
import { adjust, Link, type Place } from "../router";
import type { Concept, ConceptRow, Concepts, Instance, Instances, Ready, Tie } from "../shapes";
import { count, plural } from "../text";
import { labelTie, shortName } from "../words";

export function TaxonomyView({ id, place }: { id: string | undefined; place: Place }) {
  const q = place.values.get("find") ?? "";
  const top = useData<Concepts>(query("taxonomy", { q }));
  return (
    <>
      <Title>Taxonomy</Title>
      <Loaded from={top}>
        {(data) =>
          data.is_ready ? (
            <div class="split">
              <section aria-label="Concepts">
                <div class="bar">
                  <SearchBox value={q} onSearch={(text) => adjust({ find: text })} label="Find a concept" />
                </div>
                {byDomain(data).map(([domain, sites, rows]) => (
                  <section key={domain}>
                    {sites ? <p class="muted domain">{sites}</p> : null}
                    <ul class="labels">
                      {rows.map((row) => (
                        <Branch key={row.concept} row={row} current={id} above={[]} />
                      ))}
                    </ul>
                  </section>
                ))}
                {data.rows.length === 0 ? <p class="muted">No concept {q ? "matches" : "was found"}.</p> : null}
              </section>
              {id ? <OneConcept key={id} id={id} place={place} /> : <p class="muted">
                  What sites of the same kind speak of, and what they say about it. Choose a concept to see its labels, what is
                  above and below it, and its instances.
                </p>}
            </div>
          ) : (
            <NotYet what="taxonomy" stage="ontology" />
          )
        }
      </Loaded>
    </>
  );
}

const NAMED = 3;

/** Return the concepts of each domain, with the sites that it is about if there are several domains. */
function byDomain({ rows, domains }: Concepts): [string, string, ConceptRow[]][] {
  const groups = new Map<string, ConceptRow[]>();
  for (const row of rows) groups.set(row.domain, [...(groups.get(row.domain) ?? []), row]);
  const named = new Map(domains.map(({ domain, sites }) => [domain, sites]));
  return [...groups].map(([domain, some]) => {
    const sites = named.get(domain) ?? [];
    const more = sites.length > NAMED ? ` and ${sites.length - NAMED} more` : "";
    return [domain, groups.size > 1 && sites.length ? sites.slice(0, NAMED).map(shortName).join(", ") + more : "", some];
  });
}

function Branch({ row, current, above }: { row: ConceptRow; current: string | undefined; above: string[] }) {
  const [isOpen, setOpen] = useState(false);
  // Facets may nest two concepts either way; a branch does not open below itself again.
  const hasBelow = row.children > 0 && !above.includes(row.concept);
  const below = useData<Ready<ConceptRow>>(isOpen && hasBelow ? `taxonomy?parent=${row.concept}` : null);
  return (
    <li>
      <span class="row">
        {hasBelow ? (
          <button type="button" class="fold" aria-expanded={isOpen} aria-label={`${isOpen ? "Close" : "Open"} ${row.label}`} onClick={() => setOpen(!isOpen)}>
            {isOpen ? "▾" : "▸"}
          </button>
        ) : (
          <span class="fold" />
        )}
        <Link to={`/taxonomy/${row.concept}${location.search}`} current={row.concept === current}>
          {row.label}
        </Link>
        <span class="muted number" title="sites that use it">
          {count(row.support)}
        </span>
        {row.instances ? <span class="badge">{plural(row.instances, "instance")}</span> : null}
      </span>
      {isOpen && below.data ? (
        <ul>
          {below.data.rows.map((child) => (
            <Branch key={child.concept} row={child} current={current} above={[...above, row.concept]} />
          ))}
        </ul>
      ) : null}
    </li>
  );
}

function OneConcept({ id, place }: { id: string; place: Place }) {
  const concept = useData<Concept>(`taxonomy/${encodeURIComponent(id)}`);
  const [decide, said] = useDecide();
  return (
    <Loaded from={concept}>
      {(data) => (
        <section class="concept" aria-label={data.label}>
          <h2>{data.label}</h2>
          <p class="line">
            <span>used by {plural(data.support, "owner")} of sites</span>
            <Sure value={data.confidence} inWords />
            <button type="button" class="small" onClick={() => void decide("reject-concept", data.concept)}>
              This is no concept
            </button>
          </p>
          <Said text={said} />
          <div class="cards">
            <section class="card">
              <h3>Labels</h3>
              <ul class="rows">
                {data.labels.map((label) => (
                  <li key={label.label}>
                    <span>
                      {label.label} <span class="muted">{label.merged_with ? `${labelTie(label.evidence)} “${label.merged_with}”` : ""}</span>
                    </span>
                    <span class="number">{count(label.support)}</span>
                    {label.label !== data.label ? (
                      <button type="button" class="small" title="It does not mean the same" onClick={() => void decide("reject-label", data.concept, label.label)}>
                        Reject
                      </button>
                    ) : null}
                  </li>
                ))}
              </ul>
            </section>
            <Ties title="Broader" ties={data.broader} side="parent" />
            <Ties title="Narrower" ties={data.narrower} side="child" />
            <section class="card">
              <h3>Pages</h3>
              <ul>
                {data.urls.slice(0, 15).map((url) => (
                  <li key={url}>
                    <Url url={url} />
                  </li>
                ))}
              </ul>
            </section>
          </div>
          <InstanceTable id={id} place={place} />
        </section>
      )}
    </Loaded>
  );
}

function Ties({ title, ties, side }: { title: string; ties: Tie[]; side: "parent" | "child" }) {
  if (!ties.length) return null;
  return (
    <section class="card">
      <h3>{title}</h3>
      <ul class="rows">
        {ties.map((tie) => (
          <li key={tie[side]}>
            <span>
              <Link to={`/taxonomy/${tie[side]}`}>{side === "parent" ? tie.parent_label : tie.child_label}</Link>{" "}
              <span class="muted" title={tie.pages.join("\n")}>
                {tie.evidence.join(", ")}
                {tie.is_facet ? ", either way" : ""}
              </span>
            </span>
            <span class="number">{count(tie.support)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

const STEP = 50;

function InstanceTable({ id, place }: { id: string; place: Place }) {
  const value = (name: string) => place.values.get(name) ?? "";
  const offset = Number(value("from")) || 0;
  const found = useData<Instances>(
    query(`taxonomy/${id}/instances`, { facet: value("facet"), value: value("value"), q: value("q"), limit: STEP, offset: offset || null }),
  );
  return (
    <Loaded from={found}>
      {(data) =>
        !data.is_ready || (data.total === 0 && !value("facet") && !value("q")) ? (
          <p class="muted">No instances are known.</p>
        ) : (
          <>
            <h3>{plural(data.total, "instance")}</h3>
            <div class="bar">
              <SearchBox value={value("q")} onSearch={(text) => adjust({ q: text, from: null })} label="Find by name" />
              {value("facet") ? (
                <button type="button" onClick={() => adjust({ facet: null, value: null, from: null })}>
                  {value("facet")}: {value("value")} ×
                </button>
              ) : null}
            </div>
            <div class="facets">
              {data.facets.map((facet) => (
                <details key={facet.label}>
                  <summary>{facet.label}</summary>
                  <ul>
                    {facet.values.map((item) => (
                      <li key={item.value}>
                        <button type="button" class="plain" onClick={() => adjust({ facet: facet.label, value: item.value, from: null })}>
                          {item.value} <span class="muted">{count(item.count)}</span>
                        </button>
                      </li>
                    ))}
                  </ul>
                </details>
              ))}
            </div>
            <InstanceRows rows={data.rows} />
            <p class="pager">
              <button type="button" disabled={offset === 0} onClick={() => adjust({ from: String(Math.max(0, offset - STEP)) })}>
                Previous
              </button>
              <button type="button" disabled={offset + STEP >= data.total} onClick={() => adjust({ from: String(offset + STEP) })}>
                Next
              </button>
            </p>
          </>
        )
      }
    </Loaded>
  );
}

function InstanceRows({ rows }: { rows: Instance[] }) {
  const uses = new Map<string, number>();
  for (const row of rows) for (const item of row.attributes) if (item.label) uses.set(item.label, (uses.get(item.label) ?? 0) + 1);
  const columns = [...uses].sort((a, b) => b[1] - a[1]).slice(0, 8).map(([label]) => label);
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Instances">
      <table>
        <thead>
          <tr>
            <th scope="col">Name</th>
            {columns.map((label) => (
              <th key={label} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.instance}>
              <td>
                <Link to={`/page/${row.page}`}>{row.name || "(no name)"}</Link>
              </td>
              {columns.map((label) => (
                <td key={label}>
                  {row.attributes.filter((item) => item.label === label).map((item) => item.value).join("; ")}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
