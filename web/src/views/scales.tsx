// The nested scales of the website around the entry page, from the page outwards, as a slider.
import { useState } from "preact/hooks";
import { useData } from "../api";
import { Loaded, Url } from "../parts";
import { Link } from "../router";
import type { Scales } from "../shapes";
import { count, plural } from "../text";

export function ScalesPart({ id }: { id: string }) {
  const scales = useData<Scales>(`sites/${id}/scales`);
  return <Loaded from={scales} why="The first flow takes a few seconds.">{(data) => (data.is_ready ? <Slider data={data} id={id} /> : <p class="muted">{data.reason}</p>)}</Loaded>;
}

function Slider({ data, id }: { data: Scales; id: string }) {
  // The chain goes from the largest set to the seed; a person widens from the seed outwards.
  const chain = [...data.chain].reverse();
  const start = Math.max(0, chain.findIndex((scale) => scale.size === data.chosen));
  const [place, setPlace] = useState(start);
  const scale = chain[Math.min(place, chain.length - 1)];
  if (!scale) return <p class="muted">Flow finds no scale around this page.</p>;
  return (
    <section class="scales" aria-label="Scales of flow">
      <p class="muted">
        Flow from the entry page fills nested sets of pages: the less a set leaks, the more it is a website. Move the
        slider to see them.
      </p>
      <label>
        <span class="hidden">Scale</span>
        <input
          type="range"
          min={0}
          max={chain.length - 1}
          value={place}
          aria-valuetext={plural(scale.size, "page")}
          onInput={(event) => setPlace(Number(event.currentTarget.value))}
        />
      </label>
      <p class="line">
        <b>{plural(scale.size, "page")}</b>
        <span>
          scale {place + 1} of {chain.length}
        </span>
        <span>leaks {(scale.conductance * 100).toFixed(1)} % of its links</span>
        {scale.size === data.chosen ? <span class="badge">most plausible</span> : null}
        {scale.size !== data.chosen && data.alternatives.includes(scale.size) ? <span class="badge">plausible</span> : null}
      </p>
      <h2>Sites it holds</h2>
      <ul class="bars">
        {scale.sites.map((part) => (
          <li key={part.site}>
            <progress max={scale.size} value={part.pages} aria-label={`${part.name}: ${plural(part.pages, "page")}`} />
            {part.site === id ? <b>{part.name || "this site"}</b> : <Link to={`/site/${part.site}`}>{part.name || part.site}</Link>}
            <span class="number muted">{count(part.pages)}</span>
          </li>
        ))}
      </ul>
      <details>
        <summary>Some of its pages</summary>
        <ul>
          {scale.sample.map((url) => (
            <li key={url}>
              <Url url={url} />
            </li>
          ))}
        </ul>
      </details>
    </section>
  );
}
