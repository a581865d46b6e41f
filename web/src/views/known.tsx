// What the tables say about a URL, in plain words first and in full below.
import type { ComponentChildren } from "preact";
import { useData } from "../api";
import { Loaded } from "../parts";
import { percent, plural, shortUrl } from "../text";
import { menuName, placeName } from "../words";

type Row = Record<string, unknown>;
const isRow = (value: unknown): value is Row => typeof value === "object" && value !== null && !Array.isArray(value);
const text = (value: unknown): string => (typeof value === "string" ? value : "");
const number = (value: unknown): number => (typeof value === "number" ? value : 0);
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

export function Known({ id, isWhole }: { id: string; isWhole: boolean }) {
  const known = useData<Row>(`pages/${encodeURIComponent(id)}/known`);
  return <Loaded from={known}>{(data) => <Sections known={data} isWhole={isWhole} />}</Loaded>;
}

function Sections({ known, isWhole }: { known: Row; isWhole: boolean }) {
  return (
    <div class="known">
      {isWhole ? (
        Object.entries(known)
          .filter(([, value]) => !isEmpty(value))
          .map(([name, value]) => (
            <details key={name} open={name !== "links" && name !== "segments"}>
              <summary>{name.replaceAll("_", " ")}</summary>
              <Value value={value} />
            </details>
          ))
      ) : (
        <ul class="words">{inWords(known).map((line, place) => <li key={place}>{line}</li>)}</ul>
      )}
    </div>
  );
}

function isEmpty(value: unknown): boolean {
  return value === null || value === "" || (Array.isArray(value) && !value.length) || (isRow(value) && !Object.keys(value).length);
}

/** Return sentences; sections that later stages add bring theirs under "why". */
function inWords(known: Row): ComponentChildren[] {
  const lines: ComponentChildren[] = [];
  const { identity, site, place, menus, page, links, segments, captures, rejects } = known;
  if (isRow(site)) {
    lines.push(
      <>
        It belongs to <b>{text(site.name) || shortUrl(text(site.site))}</b>, a site of {plural(number(site.site_pages), "page")};{" "}
        {percent(number(site.confidence))} sure.
      </>,
    );
  }
  for (const section of Object.values(known)) if (isRow(section) && text(section.why)) lines.push(<>{text(section.why)}</>);
  if (isRow(place) && text(place.parent)) {
    const evidence = list(place.evidence).map((name) => placeName(text(name))).join(", ");
    lines.push(<>It stands below {shortUrl(text(place.parent))}{evidence ? `: ${evidence}` : ""}.</>);
  }
  const shown = list(menus).filter(isRow);
  if (shown.length) {
    const named = shown.slice(0, 6).map((menu) => `${menuName(text(menu.role)).toLowerCase()} (${plural(list(menu.links).length, "link")})`);
    lines.push(<>It shows {plural(shown.length, "menu")}: {named.join(", ")}{shown.length > 6 ? ", …" : ""}.</>);
  }
  if (isRow(identity)) {
    const others = number(identity.also_known_as_count);
    const rules = list(identity.rules).join(", ");
    if (rules) lines.push(<>Its address stands for {shortUrl(text(identity.canonical))}, by the rules {rules}.</>);
    if (others) lines.push(<>{plural(others, "other address", "other addresses")} {others === 1 ? "stands" : "stand"} for the same page.</>);
  }
  if (isRow(links)) {
    lines.push(
      <>
        It has {plural(number(links.out_count), "link")}; {plural(number(links.in_count), "captured page")}{" "}
        {number(links.in_count) === 1 ? "links" : "link"} to it.
      </>,
    );
  }
  if (list(segments).length) {
    const largest = list(segments).filter(isRow).reduce((most, row) => Math.max(most, number(row.size)), 0);
    lines.push(<>Its links form {plural(list(segments).length, "segment")}, the largest of {plural(largest, "link")}.</>);
  }
  if (isRow(page)) {
    const length = number(page.text_length);
    const linked = length ? Math.round((100 * number(page.linked_text_length)) / length) : 0;
    lines.push(<>It shows {plural(length, "character")} of text, {linked} % of it in links.</>);
    if (text(page.refresh)) lines.push(<>It sends visitors on to {shortUrl(text(page.refresh))}.</>);
  }
  const taken = list(captures).filter(isRow);
  if (taken.length) {
    const last = taken[taken.length - 1]!;
    lines.push(
      <>
        It was captured {taken.length === 1 ? "once" : `${taken.length} times`}
        {text(last.fetched_at) ? `, last on ${text(last.fetched_at).slice(0, 10)}` : ""}.
      </>,
    );
  }
  for (const reject of list(rejects).filter(isRow)) lines.push(<>Stage {text(reject.stage)}: {text(reject.detail)}</>);
  return lines;
}

function Value({ value }: { value: unknown }) {
  if (Array.isArray(value)) {
    return (
      <ol class="values">
        {value.slice(0, 200).map((item, place) => (
          <li key={place}>
            <Value value={item} />
          </li>
        ))}
      </ol>
    );
  }
  if (isRow(value)) {
    return (
      <dl>
        {Object.entries(value)
          .filter(([, item]) => !isEmpty(item))
          .map(([name, item]) => (
            <div key={name}>
              <dt>{name.replaceAll("_", " ")}</dt>
              <dd>
                <Value value={item} />
              </dd>
            </div>
          ))}
      </dl>
    );
  }
  if (typeof value === "number") return <>{Number.isInteger(value) ? value : value.toFixed(3)}</>;
  return <span class="url">{String(value)}</span>;
}
