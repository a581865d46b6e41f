// What a person decided, the way to apply it, and pairs of pages to judge.
import { useState } from "preact/hooks";
import { post, query, useData } from "../api";
import { Loaded, Said, SitePicker, Tabs, Title, Url, useDecide } from "../parts";
import { go, type Place } from "../router";
import type { Decision, Job, Overview, PairSide, SiteRow } from "../shapes";
import { plural, shortUrl } from "../text";
import { menuName } from "../words";

export function CorrectView({ tab, overview }: { tab: string; overview: Overview | undefined; place: Place }) {
  return (
    <>
      <Title>Correct</Title>
      <Tabs
        base="/correct"
        label="Ways to correct"
        current={tab}
        tabs={[
          ["decisions", "Decisions"],
          ["judge", "Judge pairs"],
        ]}
      />
      {tab === "judge" ? <Judge /> : <Decisions overview={overview} />}
    </>
  );
}

function Decisions({ overview }: { overview: Overview | undefined }) {
  const decisions = useData<Decision[]>("decisions");
  const [said, setSaid] = useState("");
  const again = async () => {
    try {
      await post<Job>("runs", {});
      go("/run");
    } catch (error) {
      setSaid((error as Error).message);
    }
  };
  const withdraw = async (id: string) => {
    try {
      await post(`decisions/${id}/withdraw`, {});
      setSaid("Withdrawn.");
    } catch (error) {
      setSaid((error as Error).message);
    }
  };
  return (
    <>
      {overview?.pending ? (
        <p class="banner">
          Some decisions are not applied yet.{" "}
          <button type="button" class="main" onClick={() => void again()}>
            Mine again
          </button>
        </p>
      ) : null}
      <p class="said" role="status">{said}</p>
      <Merge />
      <section>
        <h2>What was decided</h2>
        <p class="muted">
          Pages, sites, menus and concepts are corrected where you see them: on their own views. Every decision is listed
          here. <a href="/api/gold" download="gold-pairs.jsonl">Download gold</a> for <code>sitestrata eval</code>.
        </p>
        <Loaded from={decisions}>
          {(rows) =>
            rows.length ? (
              <ol class="decisions" reversed>
                {rows.map((row) => (
                  <li key={row.id} class={row.is_withdrawn ? "withdrawn" : undefined}>
                    <span>{inWords(row)}</span> <span class="muted">{row.at.slice(0, 16).replace("T", " ")}</span>{" "}
                    {row.is_lapsed ? (
                      <span class="badge failed" title="What it speaks of is not in this workspace any more.">
                        no effect: {row.kind === "menu-role" ? "no menu like it is left" : "the page is not here"}
                      </span>
                    ) : null}{" "}
                    {row.is_withdrawn ? (
                      <span class="badge">withdrawn</span>
                    ) : (
                      <button type="button" class="small" onClick={() => void withdraw(row.id)}>
                        Withdraw
                      </button>
                    )}
                  </li>
                ))}
              </ol>
            ) : (
              <p class="muted">Nothing yet.</p>
            )
          }
        </Loaded>
      </section>
    </>
  );
}

function inWords(row: Decision): string {
  const [subject, object] = [shortUrl(row.subject), shortUrl(row.object)];
  switch (row.kind) {
    case "merge":
      return `The site of ${subject} is a part of the site of ${object}.`;
    case "separate":
      return `The section of ${subject} is a site of its own.`;
    case "move":
      return `${subject} belongs to the site of ${object}.`;
    case "name":
      return `The site of ${subject} is called “${row.object}”.`;
    case "menu-role":
      return `A menu is: ${menuName(row.object)} (it was ${row.was || row.subject}).`;
    case "reject-concept":
      return `“${row.subject}” is no concept.`;
    case "reject-label":
      return `“${row.object}” does not mean “${row.subject}”.`;
    default:
      return `${row.kind} ${subject} ${object}`;
  }
}

function Merge() {
  const [first, setFirst] = useState<SiteRow | null>(null);
  const [decide, said] = useDecide();
  return (
    <section class="merge">
      <h2>Merge two sites</h2>
      {first === null ? (
        <SitePicker label="The site that is a part" onPick={setFirst} />
      ) : (
        <>
          <p>
            <b>{first.name}</b> <Url url={first.entry_url} />{" "}
            <button type="button" class="small" onClick={() => setFirst(null)}>
              Another
            </button>{" "}
            is a part of
          </p>
          <SitePicker
            label="The site that it is a part of"
            except={first.site}
            onPick={(site) => {
              void decide("merge", first.entry_url, site.entry_url);
              setFirst(null);
            }}
          />
        </>
      )}
      <Said text={said} />
    </section>
  );
}

function Judge() {
  const [round, setRound] = useState(0);
  const pairs = useData<{ rows: [PairSide, PairSide][]; judged: number }>(query("pairs", { count: 1, seed: 0 }));
  const [said, setSaid] = useState("");
  const judge = async (pair: [PairSide, PairSide], same: boolean | null) => {
    try {
      const made = await post<{ judged: number }>("pairs", { first: pair[0].url, second: pair[1].url, same });
      setSaid(`${plural(made.judged, "pair")} judged.`);
      setRound(round + 1);
    } catch (error) {
      setSaid((error as Error).message);
    }
  };
  return (
    <section aria-label="Judge pairs">
      <p class="muted">
        Do both pages belong to one website? Your answers become gold: <code>sitestrata eval WS</code> scores against
        them. Keys: y, n, s.
      </p>
      <Loaded from={pairs}>
        {(data) => {
          const pair = data.rows[0];
          if (!pair) return <p>All pairs are judged.</p>;
          const key = (event: KeyboardEvent) => {
            const answers: Record<string, boolean | null> = { y: true, n: false, s: null };
            if (event.key in answers) void judge(pair, answers[event.key] ?? null);
          };
          return (
            <div class="judge" onKeyDown={key}>
              {pair.map((side) => (
                <figure key={side.page}>
                  <figcaption>
                    <b>{side.title || "(no title)"}</b> <Url url={side.url} />
                  </figcaption>
                  <iframe
                    src={`/api/pages/${side.page}/archive?plain=true`}
                    sandbox=""
                    referrerpolicy="no-referrer"
                    title={`Archived page ${side.title}`}
                  />
                </figure>
              ))}
              <p class="actions">
                <button type="button" class="main" onClick={() => void judge(pair, true)}>Yes, one site</button>
                <button type="button" class="main" onClick={() => void judge(pair, false)}>No, two sites</button>
                <button type="button" onClick={() => void judge(pair, null)}>Skip</button>
              </p>
            </div>
          );
        }}
      </Loaded>
      <p class="said" role="status">{said}</p>
    </section>
  );
}
