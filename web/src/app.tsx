// The frame around all views.
import { useEffect } from "preact/hooks";
import { useData } from "./api";
import { Link, usePlace, type Place } from "./router";
import type { Overview } from "./shapes";
import { Notice } from "./parts";
import { CompareView } from "./views/compare";
import { CorrectView } from "./views/correct";
import { MapView } from "./views/map";
import { PageView } from "./views/page";
import { PagesView } from "./views/pages";
import { RunView } from "./views/run";
import { SiteView } from "./views/site";
import { TaxonomyView } from "./views/taxonomy";

const TABS: [string, string][] = [
  ["", "Map"],
  ["pages", "Pages"],
  ["taxonomy", "Taxonomy"],
  ["correct", "Correct"],
  ["compare", "Compare"],
  ["run", "Run"],
];

export function App() {
  const place = usePlace();
  const overview = useData<Overview>("overview");
  const first = place.path[0] ?? "";
  useEffect(() => {
    const view = TABS.find(([path]) => path === first)?.[1] ?? first;
    document.title = `${view} · ${overview.data?.name ?? "Sitestrata"}`;
  }, [first, overview.data?.name]);
  const needsRun = overview.error?.status === 503 && first !== "run";
  return (
    <>
      <a class="skip" href="#content">
        Skip to content
      </a>
      <header class="top">
        <Link to="/" class="brand" title="Sitestrata">
          <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
            <path class="layer1" d="M3 7.5 12 3l9 4.5-9 4.5z" />
            <path class="layer2" d="m3 12 9 4.5 9-4.5" />
            <path class="layer3" d="m3 16.5 9 4.5 9-4.5" />
          </svg>
          <span>{overview.data?.name ?? "Sitestrata"}</span>
        </Link>
        <nav aria-label="Views">
          {TABS.map(([path, name]) => (
            <Link key={path} to={`/${path}`} current={path === first || (path === "" && first === "site")}>
              {name}
              {path === "correct" && overview.data?.pending ? <span class="dot" title="Not applied yet" /> : null}
            </Link>
          ))}
        </nav>
      </header>
      <main id="content" tabIndex={-1}>
        {needsRun ? (
          <Notice title="Nothing has been mined yet">
            <p>{overview.error?.message}</p>
            <p>
              <Link to="/run">Start a run</Link>
            </p>
          </Notice>
        ) : (
          <View place={place} overview={overview.data} />
        )}
      </main>
    </>
  );
}

function View({ place, overview }: { place: Place; overview: Overview | undefined }) {
  const [first = "", second, third] = place.path;
  switch (first) {
    case "":
      return <MapView overview={overview} place={place} />;
    case "site":
      return <SiteView key={second} id={second ?? ""} tab={third ?? "overview"} place={place} />;
    case "pages":
      return <PagesView place={place} />;
    case "page":
      return <PageView key={second} id={second ?? ""} tab={third ?? "why"} place={place} />;
    case "taxonomy":
      return <TaxonomyView id={second} place={place} />;
    case "correct":
      return <CorrectView tab={second ?? "decisions"} overview={overview} place={place} />;
    case "compare":
      return <CompareView name={second} overview={overview} place={place} />;
    case "run":
      return <RunView overview={overview} />;
    default:
      return (
        <Notice title="There is no such view">
          <p>
            <Link to="/">Go to the map</Link>
          </p>
        </Notice>
      );
  }
}
