// All sites at a glance: the map, its filters, and the same sites as a list.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { query, useData } from "../api";
import { draw, siteAt, siteTowards, type Camera, type Scene } from "../map/draw";
import { layOut } from "../map/layout";
import { Loaded, NotYet, Pager, SearchBox, Sure, Title, Url } from "../parts";
import { adjust, go, Link, type Place } from "../router";
import type { MapAnswer, Overview, Screen, SiteRow } from "../shapes";
import { count, percent, plural } from "../text";

type Hue = "host" | "domain" | "method" | "confidence";
const HUES: [Hue, string][] = [
  ["host", "Host"],
  ["domain", "Domain"],
  ["method", "Method"],
  ["confidence", "Confidence"],
];
const PALETTE = ["#4e79a7", "#e08a3c", "#59a14f", "#c65b5e", "#8f7ab8", "#3f9e9a", "#b8923a", "#a8678c"];
const MARGIN = 40; // around everything
const REST = "#9aa3ad";
const STEPS = ["#c65b5e", "#e08a3c", "#b8923a", "#59a14f", "#3f9e9a"];

export function MapView({ overview, place }: { overview: Overview | undefined; place: Place }) {
  const map = useData<MapAnswer>("map");
  const [isDark, setDark] = useState(() => matchMedia("(prefers-color-scheme: dark)").matches);
  useEffect(() => {
    const media = matchMedia("(prefers-color-scheme: dark)");
    const listener = () => setDark(media.matches);
    media.addEventListener("change", listener);
    return () => media.removeEventListener("change", listener);
  }, []);
  const q = place.values.get("q") ?? "";
  const hue = (HUES.find(([name]) => name === place.values.get("colour"))?.[0] ?? "host") as Hue;
  const least = Number(place.values.get("min") ?? 0) || 0;
  return (
    <div class="map-view">
      <section class="map-head">
        <Title>{overview ? plural(overview.counts.sites ?? 0, "site") : "Sites"}</Title>
        <p class="muted">{overview?.summary}</p>
      </section>
      <form class="bar" onSubmit={(event) => event.preventDefault()}>
        <SearchBox value={q} onSearch={(text) => adjust({ q: text, cursor: null })} label="Find a site" />
        <label>
          At least{" "}
          <input
            type="number"
            min={0}
            value={least}
            class="short"
            onChange={(event) => adjust({ min: event.currentTarget.value, cursor: null })}
          />{" "}
          pages
        </label>
        <fieldset class="choice">
          <legend>Colour by</legend>
          {HUES.map(([name, title]) => (
            <label key={name}>
              <input type="radio" name="hue" checked={hue === name} onChange={() => adjust({ colour: name })} /> {title}
            </label>
          ))}
        </fieldset>
      </form>
      <div class="map-body">
        <Loaded from={map}>
          {(data) =>
            data.site.length ? (
              <Canvas map={data} q={q} least={least} hue={hue} isDark={isDark} />
            ) : (
              <NotYet what="sites" stage="sites" />
            )
          }
        </Loaded>
        <SiteList q={q} least={least} cursor={place.values.get("cursor")} />
      </div>
      {overview ? <Details overview={overview} /> : null}
    </div>
  );
}

interface CanvasProps {
  map: MapAnswer;
  q: string;
  least: number;
  hue: Hue;
  isDark: boolean;
}

function Canvas({ map, q, least, hue, isDark }: CanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const layout = useMemo(() => layOut(map), [map]);
  const [colours, legend] = useMemo(() => paint(map, hue), [map, hue]);
  const isShown = useMemo(() => shownSites(map, q, least), [map, q, least]);
  const [selected, setSelected] = useState(-1);
  const [camera, setCamera] = useState<Camera | null>(null);
  const scene = useRef<Scene | null>(null);
  const drag = useRef<{ x: number; y: number; moved: boolean } | null>(null);

  const fit = (): Camera => {
    const node = canvas.current;
    const [left, top, right, bottom] = layout.box;
    const [width, height] = [node?.clientWidth ?? 600, node?.clientHeight ?? 600];
    const zoom = Math.min(width / (right - left + MARGIN), height / (bottom - top + MARGIN));
    return { x: (left + right) / 2, y: (top + bottom) / 2, zoom };
  };
  useEffect(() => setCamera(fit()), [layout]);
  useEffect(() => {
    const node = canvas.current;
    if (!node || !camera) return;
    scene.current = { map, layout, colours, isShown, selected, camera };
    const frame = requestAnimationFrame(() => {
      if (!scene.current) return;
      draw(node, scene.current);
      node.dataset.drawn = String(map.site.length);
    });
    return () => cancelAnimationFrame(frame);
  }, [map, layout, colours, isShown, selected, camera, isDark]);
  useEffect(() => {
    const node = canvas.current;
    if (!node) return;
    const watcher = new ResizeObserver(() => setCamera((now) => (now ? { ...now } : fit())));
    watcher.observe(node);
    // Not passive: the wheel zooms the map and must not scroll the page at the same time.
    const wheel = (event: WheelEvent) => {
      event.preventDefault();
      zoomBy(Math.exp(-event.deltaY / 400));
    };
    node.addEventListener("wheel", wheel, { passive: false });
    return () => {
      watcher.disconnect();
      node.removeEventListener("wheel", wheel);
    };
  }, []);

  const zoomBy = (factor: number) =>
    setCamera((now) => (now ? { ...now, zoom: Math.min(20, Math.max(0.02, now.zoom * factor)) } : now));
  const point = (event: PointerEvent): [number, number] => {
    const box = canvas.current!.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  const down = (event: PointerEvent) => {
    const [x, y] = point(event);
    drag.current = { x, y, moved: false };
    canvas.current?.setPointerCapture(event.pointerId);
  };
  const move = (event: PointerEvent) => {
    const [x, y] = point(event);
    const held = drag.current;
    if (!held) {
      if (scene.current && canvas.current) setSelected(siteAt(canvas.current, scene.current, x, y));
      return;
    }
    if (Math.hypot(x - held.x, y - held.y) > 3 || held.moved) {
      const [dx, dy] = [x - held.x, y - held.y];
      drag.current = { x, y, moved: true };
      setCamera((now) => (now ? { ...now, x: now.x - dx / now.zoom, y: now.y - dy / now.zoom } : now));
    }
  };
  const up = (event: PointerEvent) => {
    const held = drag.current;
    drag.current = null;
    if (!held || held.moved || !scene.current || !canvas.current) return;
    const [x, y] = point(event);
    const node = siteAt(canvas.current, scene.current, x, y);
    if (node >= 0) go(`/site/${map.site[node]}`);
  };
  const key = (event: KeyboardEvent) => {
    const ways: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const way = ways[event.key];
    if (way && scene.current) {
      event.preventDefault();
      const next = selected < 0 ? isShown.indexOf(1) : siteTowards(scene.current, selected, way[0], way[1]);
      setSelected(next);
      if (next >= 0) setCamera((now) => (now ? { ...now, x: layout.x[next]!, y: layout.y[next]! } : now));
    } else if (event.key === "Enter" && selected >= 0) go(`/site/${map.site[selected]}`);
    else if (event.key === "+" || event.key === "=") zoomBy(1.3);
    else if (event.key === "-") zoomBy(1 / 1.3);
    else if (event.key === "0") setCamera(fit());
  };
  const shown = isShown.reduce((sum, value) => sum + value, 0);
  return (
    <figure class="map">
      <canvas
        ref={canvas}
        tabIndex={0}
        role="application"
        aria-label={`Map of ${plural(shown, "site")}. Arrow keys choose a site, Enter opens it, plus and minus zoom. The list beside it holds the same sites.`}
        onPointerDown={down}
        onPointerMove={move}
        onPointerUp={up}
        onPointerLeave={() => !drag.current && setSelected(-1)}
        onKeyDown={key}
      />
      <div class="zoom">
        <button type="button" aria-label="Zoom in" onClick={() => zoomBy(1.3)}>+</button>
        <button type="button" aria-label="Zoom out" onClick={() => zoomBy(1 / 1.3)}>−</button>
        <button type="button" aria-label="Show everything" onClick={() => setCamera(fit())}>⤢</button>
      </div>
      <figcaption>
        <ul class="legend">
          {legend.map(([name, colour]) => (
            <li key={name}>
              <svg width="12" height="12" aria-hidden="true"><circle cx="6" cy="6" r="6" fill={colour} /></svg> {name}
            </li>
          ))}
        </ul>
        <p role="status" class="tip">
          {selected >= 0
            ? `${map.name[selected]}: ${plural(map.pages[selected]!, "page")}, ${map.host[selected]}, ${percent(map.confidence[selected]!)} sure`
            : `${count(shown)} of ${count(map.total)} sites; the area is the number of pages, lines are links`}
        </p>
      </figcaption>
    </figure>
  );
}

function shownSites(map: MapAnswer, q: string, least: number): Uint8Array {
  const wanted = q.toLowerCase();
  return Uint8Array.from(map.site, (_, node) =>
    map.pages[node]! >= least && (!wanted || `${map.name[node]} ${map.host[node]}`.toLowerCase().includes(wanted)) ? 1 : 0,
  );
}

/** Return a colour for each site, and what the colours mean. */
function paint(map: MapAnswer, hue: Hue): [string[], [string, string][]] {
  if (hue === "confidence") {
    const step = (value: number) => STEPS[Math.min(STEPS.length - 1, Math.max(0, Math.floor((value - 0.5) * 10)))]!;
    const names = ["below 60 %", "60 to 70 %", "70 to 80 %", "80 to 90 %", "above 90 %"];
    return [map.confidence.map(step), names.map((name, place) => [name, STEPS[place]!])];
  }
  const values = map[hue];
  const sums = new Map<string, number>();
  values.forEach((value, node) => sums.set(value, (sums.get(value) ?? 0) + map.pages[node]!));
  const best = [...sums].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, PALETTE.length);
  const colour = new Map(best.map(([value], place) => [value, PALETTE[place]!]));
  const legend: [string, string][] = best.map(([value], place) => [value || "unknown", PALETTE[place]!]);
  if (sums.size > best.length) legend.push([`${count(sums.size - best.length)} more`, REST]);
  return [values.map((value) => colour.get(value) ?? REST), legend];
}

function SiteList({ q, least, cursor }: { q: string; least: number; cursor: string | null }) {
  const sites = useData<Screen<SiteRow>>(query("sites", { q, min_pages: least || null, limit: 50, cursor }));
  return (
    <section class="site-list" aria-label="Sites">
      <Loaded from={sites}>
        {(screen) => (
          <>
            <ol>
              {screen.rows.map((row) => (
                <li key={row.site}>
                  <Link to={`/site/${row.site}`}>{row.name || row.entry_url}</Link>
                  <span class="muted">
                    <Url url={row.entry_url} />
                  </span>
                  <span class="line">
                    <span>{plural(row.pages, "page")}</span>
                    <Sure value={row.confidence} />
                  </span>
                </li>
              ))}
            </ol>
            {screen.rows.length === 0 ? <p class="muted">No site matches.</p> : null}
            <Pager screen={screen} shown={screen.rows.length} onMove={(to) => adjust({ cursor: to }, "push")} />
          </>
        )}
      </Loaded>
    </section>
  );
}

function Details({ overview }: { overview: Overview }) {
  return (
    <section class="details">
      <details>
        <summary>What was read, and what could not be used ({count(overview.counts.rejects ?? 0)})</summary>
        <ul>
          {overview.sources.slice(0, 50).map((source) => (
            <li key={source.name}>
              <code>{source.name}</code> <span class="muted">{source.kind}</span>
            </li>
          ))}
        </ul>
        <ul>
          {overview.rejects.map((reject) => (
            <li key={`${reject.stage} ${reject.reason}`}>
              {count(reject.count)} × <code>{reject.reason}</code> <span class="muted">{reject.detail}</span>
            </li>
          ))}
        </ul>
      </details>
      <details>
        <summary>How the sites compare with simpler partitions</summary>
        <ul>
          {overview.objectives.map((row) => (
            <li key={row.partition}>
              {row.partition}: {plural(row.parts, "part")}, {count(Math.round(row.value))} votes kept together
            </li>
          ))}
        </ul>
      </details>
      <details>
        <summary>Stages</summary>
        <ul>
          {overview.stages.map((stage) => (
            <li key={stage.stage}>
              <code>{stage.stage}</code> {stage.seconds.toFixed(1)} s{" "}
              <span class="muted">
                {Object.entries(stage.rows).map(([table, rows]) => `${table} ${count(rows)}`).join(", ")}
                {stage.is_stale ? " — must be done again" : ""}
              </span>
            </li>
          ))}
        </ul>
        {overview.missing.length ? <p class="muted">Not made yet: {overview.missing.join(", ")}</p> : null}
      </details>
    </section>
  );
}
