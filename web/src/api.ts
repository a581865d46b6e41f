// Asking the server: answers are remembered until the workspace changes, changes carry the token.
import { useEffect, useLayoutEffect, useState } from "preact/hooks";

const TOKEN = "sitestrata-token";
const REMEMBERED = 200;
const answers = new Map<string, unknown>();

export class Failure extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** Take the token out of the address, where it would be copied along with a link. */
export function takeToken(): void {
  const found = /^#token=([\w-]+)$/.exec(location.hash);
  if (found?.[1]) {
    localStorage.setItem(TOKEN, found[1]);
    history.replaceState(null, "", location.pathname + location.search);
  }
}

async function answer<T>(response: Response): Promise<T> {
  if (response.ok) return (await response.json()) as T;
  const body = (await response.json().catch(() => ({}))) as { error?: string };
  throw new Failure(response.status, body.error ?? `The server answered ${response.status}.`);
}

export async function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  return answer<T>(await fetch(`/api/${path}`, { signal: signal ?? null }));
}

export async function post<T>(path: string, body: unknown): Promise<T> {
  const headers = { "content-type": "application/json", "x-sitestrata-token": localStorage.getItem(TOKEN) ?? "" };
  const made = await answer<T>(await fetch(`/api/${path}`, { method: "POST", headers, body: JSON.stringify(body) }));
  forget();
  return made;
}

function remember(path: string, data: unknown): void {
  if (answers.size > REMEMBERED) answers.clear();
  answers.set(path, data);
}

/** Ask for what a person is likely to look at next; whether it comes is of no matter. */
export async function ahead<T>(path: string): Promise<T | undefined> {
  if (!answers.has(path)) {
    const asked = generation;
    const data = await get<T>(path).catch(() => undefined);
    if (data === undefined || asked !== generation) return undefined;
    remember(path, data);
  }
  return answers.get(path) as T | undefined;
}

const listeners = new Set<() => void>();
let generation = 0;

/** Forget what was answered so far, because something has changed, and ask again. */
export function forget(): void {
  answers.clear();
  generation += 1;
  for (const listener of listeners) listener();
}

export interface Data<T> {
  data: T | undefined;
  error: Failure | undefined;
  isLoading: boolean;
}

/** Ask for something and keep what was there before on the page until the answer comes. */
export function useData<T>(path: string | null): Data<T> {
  const [state, setState] = useState<{ path: string | null; data?: T; error?: Failure }>({ path: null });
  const [round, setRound] = useState(0);
  useEffect(() => {
    const listener = () => setRound((value) => value + 1);
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, []);
  // Asked for before the view is painted without it, not after.
  useLayoutEffect(() => {
    if (path === null) return;
    if (answers.has(path)) {
      setState({ path, data: answers.get(path) as T });
      return;
    }
    const stop = new AbortController();
    get<T>(path, stop.signal).then(
      (data) => {
        if (stop.signal.aborted) return;
        remember(path, data);
        setState({ path, data });
      },
      (error: unknown) => {
        if (stop.signal.aborted) return;
        const failure = error instanceof Failure ? error : new Failure(0, "The server does not answer. Is it running?");
        setState({ path, error: failure });
      },
    );
    return () => stop.abort();
  }, [path, round]);
  const known = path !== null && answers.has(path) ? (answers.get(path) as T) : undefined;
  const isCurrent = state.path === path;
  return {
    data: known ?? state.data,
    error: isCurrent ? state.error : undefined,
    isLoading: path !== null && !isCurrent && known === undefined,
  };
}

/** Return a path with the parameters that say something. */
export function query(path: string, values: Record<string, string | number | boolean | null | undefined>): string {
  const given = Object.entries(values).filter(([, value]) => value !== "" && value !== null && value !== undefined);
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text ? `${path}?${text}` : path;
}
