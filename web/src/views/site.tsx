// One site: what it is, how it is organised, and how to correct it.
import { useEffect, useState } from "preact/hooks";
import { ahead, useData } from "../api";
import { Dialogue, Loaded, NotYet, Said, SitePicker, Sure, Tabs, Title, Url, useDecide } from "../parts";
import { Link, type Place } from "../router";
import type { MenuRow, Ready, Site } from "../shapes";
import { count, plural } from "../text";
import { method, subsiteSign } from "../words";
import { MenuCard } from "./menu";
import { firstPages, PagesTable } from "./pages";
import { ScalesPart } from "./scales";
import { SiteTree, treeAhead } from "./tree";

export function SiteView({ id, tab, place }: { id: string; tab: string; place: Place }) {
  const site = useData<Site>(`sites/${encodeURIComponent(id)}`);
  useEffect(() => {
    if (site.data?.site !== id) return;
    void ahead(firstPages(id));
    if (site.data.has_tree) void treeAhead(id);
  }, [site.data, id]);
  return (
    <Loaded from={site}>
      {(data) => (
        <>
          <Head site={data} />
          <Tabs
            base={`/site/${id}`}
            label="Parts of the site"
            current={tab}
            tabs={[
              ["overview", "Overview"],
              ["tree", "Tree"],
              ["menus", "Menus"],
              ["pages", "Pages"],
              ["scales", "Scales"],
            ]}
          />
          {tab === "tree" ? (
            <SiteTree site={data} place={place} />
          ) : tab === "menus" ? (
            <Menus id={id} />
          ) : tab === "pages" ? (
            <PagesTable place={place} site={id} />
          ) : tab === "scales" ? (
            <ScalesPart id={id} />
          ) : (
            <Parts site={data} />
          )}
        </>
      )}
    </Loaded>
  );
}

function Head({ site }: { site: Site }) {
  const [open, setOpen] = useState<"" | "name" | "merge">("");
  const [decide, said] = useDecide();
  return (
    <section class="head">
      <p class="crumbs">
        <Link to="/">Map</Link> ›{" "}
        {site.above ? <><Link to={`/site/${site.above.site}`}>{site.above.name || site.above.entry_url}</Link> ›</> : null}
      </p>
      <Title>{site.name || site.entry_url}</Title>
      <p class="line">
        <span>
          entry <Link to={`/page/${site.site}`}><Url url={site.entry_url} /></Link>
        </span>
        <span>{plural(site.pages, "page")}</span>
        <span>{plural(site.host_pages.length, "host")}</span>
        <span>
          held together by {method(site.method)}
        </span>
        <Sure value={site.confidence} inWords />
      </p>
      {site.profile?.keywords.length ? <p class="muted">{site.profile.keywords.slice(0, 12).join(" · ")}</p> : null}
      <p class="actions">
        <button type="button" onClick={() => setOpen("name")}>Rename …</button>
        <button type="button" onClick={() => setOpen("merge")}>Merge into another site …</button>
      </p>
      <Said text={said} />
      {open === "name" ? (
        <Dialogue title="What is the site called?" onClose={() => setOpen("")}>
          <form
            method="dialog"
            onSubmit={(event) => {
              const name = new FormData(event.currentTarget).get("name");
              if (name) void decide("name", site.entry_url, String(name));
            }}
          >
            <label>
              Name <input name="name" defaultValue={site.name} maxLength={300} required autofocus />
            </label>
            <p class="actions">
              <button type="submit" class="main">Keep</button>
              <button type="button" onClick={() => setOpen("")}>Cancel</button>
            </p>
          </form>
        </Dialogue>
      ) : null}
      {open === "merge" ? (
        <Dialogue title="Which site is it a part of?" onClose={() => setOpen("")}>
          <SitePicker
            label="Find a site"
            except={site.site}
            onPick={(other) => {
              void decide("merge", site.entry_url, other.entry_url);
              setOpen("");
            }}
          />
          <p class="actions">
            <button type="button" onClick={() => setOpen("")}>Cancel</button>
          </p>
        </Dialogue>
      ) : null}
    </section>
  );
}

function Parts({ site }: { site: Site }) {
  const [decide, said] = useDecide();
  const menus = useData<Ready<MenuRow>>(site.has_menus ? `sites/${site.site}/menus` : null);
  const main = menus.data?.rows.find((menu) => menu.role === "main");
  return (
    <div class="cards">
      <section class="card">
        <h2>Main menu</h2>
        {!site.has_menus ? (
          <NotYet what="menus" stage="menus" />
        ) : main ? (
          <ul class="items">
            {main.items.slice(0, 60).map((item, place) => (
              <li key={place} class={`level${Math.min(item.level, 3)}`}>
                {item.page ? <Link to={`/page/${item.page}`}>{item.label || item.url}</Link> : item.label || item.url}
              </li>
            ))}
          </ul>
        ) : (
          <p class="muted">{menus.data ? "No menu of this site looks like its main menu." : "Loading …"}</p>
        )}
      </section>
      <section class="card">
        <h2>Subsites</h2>
        <p class="muted">
          {site.subsites.length
            ? "Versions, languages, projects and manuals that are units inside the site."
            : "No part of this site is a unit of its own."}
        </p>
        <ul class="rows">
          {site.subsites.map((part) => (
            <li key={part.subsite}>
              <span title={part.url}>
                <Link to={`/site/${site.site}/pages?subsite=${part.subsite}`}>{part.title || part.url}</Link>{" "}
                <span class="badge" title={subsiteSign(part.sign)}>{part.sign}</span>{" "}
                {part.navigation === "own" ? <span class="badge">own menu</span> : null}
              </span>
              <span class="number">{count(part.pages)}</span>
              {part.is_apart ? (
                <button
                  type="button"
                  class="small"
                  title="This subsite is a site of its own"
                  onClick={() => void decide("separate", part.url)}
                >
                  Separate
                </button>
              ) : null}
            </li>
          ))}
        </ul>
        <Said text={said} />
      </section>
      <section class="card">
        <h2>Hosts</h2>
        <ul class="rows">
          {site.host_pages.map((row) => (
            <li key={row.host}>
              <Link to={`/site/${site.site}/pages?host=${encodeURIComponent(row.host)}`}>{row.host}</Link>
              <span class="number">{count(row.pages)}</span>
            </li>
          ))}
        </ul>
      </section>
      <section class="card">
        <h2>Neighbours</h2>
        <p class="muted">Links to and from other sites.</p>
        <ul class="rows">
          {site.neighbours.map((row) => (
            <li key={row.site}>
              <Link to={`/site/${row.site}`}>{row.name || row.entry_url}</Link>
              <span class="number" title="links out and in">
                → {count(row.out)} ← {count(row.in)}
              </span>
            </li>
          ))}
        </ul>
        {site.neighbours.length === 0 ? <p class="muted">No links to or from other sites.</p> : null}
      </section>
      {site.children.length ? (
        <section class="card">
          <h2>Sites below it</h2>
          <ul class="rows">
            {site.children.map((row) => (
              <li key={row.site}>
                <Link to={`/site/${row.site}`}>{row.name}</Link>
                <span class="number">{count(row.pages)}</span>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
    </div>
  );
}

const FIRST_MENUS = 18;

function Menus({ id }: { id: string }) {
  const [isWhole, setWhole] = useState(false);
  const menus = useData<Ready<MenuRow>>(`sites/${id}/menus`);
  return (
    <Loaded from={menus}>
      {(data) =>
        data.is_ready ? (
          <>
            <div class="cards">
              {(isWhole ? data.rows : data.rows.slice(0, FIRST_MENUS)).map((menu) => (
                <MenuCard key={menu.menu} menu={menu} />
              ))}
            </div>
            {data.rows.length === 0 ? <p class="muted">No page of this site shows a menu.</p> : null}
            {!isWhole && data.rows.length > FIRST_MENUS ? (
              <button type="button" onClick={() => setWhole(true)}>All {count(data.rows.length)} menus</button>
            ) : null}
          </>
        ) : (
          <NotYet what="menus" stage="menus" />
        )
      }
    </Loaded>
  );
}
