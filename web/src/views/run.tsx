// Start a run, follow it, stop it.
import { useEffect, useRef, useState } from "preact/hooks";
import { forget, get, post } from "../api";
import { Title } from "../parts";
import { Link } from "../router";
import type { Job, Overview } from "../shapes";
import { count } from "../text";

const EVERY = 600; // milliseconds

export function RunView({ overview }: { overview: Overview | undefined }) {
  const [jobs, setJobs] = useState<Job[]>([]);
  const [current, setCurrent] = useState<Job | null>(null);
  const [said, setSaid] = useState("");
  const [kind, setKind] = useState<"file" | "url">("file");
  useEffect(() => {
    void get<Job[]>("runs").then((rows) => {
      setJobs(rows);
      if (rows[0]) void get<Job>(`runs/${rows[0].run}`).then(setCurrent);
    }, () => undefined);
  }, []);
  const isRunning = current?.status === "running";
  useEffect(() => {
    if (!current || !isRunning) return;
    const timer = setInterval(() => {
      void get<Job>(`runs/${current.run}`).then((job) => {
        setCurrent(job);
        if (job.status !== "running") forget();
      }, () => undefined);
    }, EVERY);
    return () => clearInterval(timer);
  }, [current?.run, isRunning]);
  const start = async (body: Record<string, unknown>) => {
    try {
      const job = await post<Job>("runs", body);
      setCurrent(job);
      setJobs([job, ...jobs]);
      setSaid("");
    } catch (error) {
      setSaid((error as Error).message);
    }
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const text = (name: string) => String(form.get(name) ?? "").trim();
    const sources = text("sources").split("\n").map((line) => line.trim()).filter(Boolean);
    void start({
      sources,
      base_url: text("base") || null,
      max_pages: Number(text("pages")) || null,
      contact: text("contact") || null,
    });
  };
  return (
    <>
      <Title>Run</Title>
      <div class="split even">
        <form class="card run-form" onSubmit={submit}>
          <h2>Add to this workspace</h2>
          <fieldset class="choice">
            <legend>Source</legend>
            <label><input type="radio" name="kind" checked={kind === "file"} onChange={() => setKind("file")} /> Files of this machine</label>
            <label><input type="radio" name="kind" checked={kind === "url"} onChange={() => setKind("url")} /> The Web</label>
          </fieldset>
          <label>
            {kind === "file" ? "WARC, ARC or WACZ files, or a folder of pages; one a line, from / on" : "Addresses to begin at, one a line"}
            <textarea name="sources" rows={3} required spellcheck={false} placeholder={kind === "file" ? "/data/crawl.warc.gz" : "https://example.org/"} />
          </label>
          {kind === "file" ? (
            <label>
              Address that a folder stands for <input name="base" type="url" placeholder="https://example.org/" />
            </label>
          ) : (
            <>
              <label>
                At most so many pages <input name="pages" type="number" min={1} defaultValue="500" class="short" />
              </label>
              <label>
                Where site owners find you <input name="contact" placeholder="you@example.org" />
              </label>
            </>
          )}
          <p class="actions">
            <button type="submit" class="main" disabled={isRunning}>Mine</button>
            {overview ? (
              <button type="button" disabled={isRunning} onClick={() => void start({})}>
                Mine again what is there
              </button>
            ) : null}
          </p>
          <p class="said" role="status">{said}</p>
        </form>
        {current ? <Progress job={current} onCancel={() => void post<Job>(`runs/${current.run}/cancel`, {}).then(setCurrent)} /> : <p class="muted">Nothing runs.</p>}
      </div>
    </>
  );
}

function Progress({ job, onCancel }: { job: Job; onCancel: () => void }) {
  const log = useRef<HTMLPreElement>(null);
  useEffect(() => {
    if (log.current) log.current.scrollTop = log.current.scrollHeight;
  }, [job.log.length]);
  const seconds = Math.max(0, Math.round((job.ended ?? Date.now() / 1000) - job.began));
  return (
    <section class="card progress" aria-label="Progress">
      <h2>
        Run {job.run} <span class={`badge ${job.status}`} role="status">{job.status}</span>
      </h2>
      <p class="muted">
        <code>{job.command}</code>
      </p>
      <ul class="stages">
        {job.stages.map((stage) => (
          <li key={stage.stage} class={stage.state}>
            <span>{stage.stage}</span>
            <progress max={Math.max(stage.total, 1)} value={stage.state === "skipped" ? Math.max(stage.total, 1) : stage.done} aria-label={stage.stage} />
            <span class="muted number">{stage.state === "skipped" ? "as before" : `${count(stage.done)} / ${count(stage.total)}`}</span>
          </li>
        ))}
      </ul>
      <p class="line">
        <span>{count(seconds)} s</span>
        {job.status === "running" ? (
          <button type="button" onClick={onCancel}>Cancel</button>
        ) : (
          <Link to="/">See the sites</Link>
        )}
      </p>
      <pre ref={log} tabIndex={0} aria-label="Log">{job.log.join("\n") || "The log is empty."}</pre>
    </section>
  );
}
