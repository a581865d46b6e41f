// The address of a view: every view has one, and the back button goes where a person expects.
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";

export interface Place {
  path: string[];
  values: URLSearchParams;
}

const listeners = new Set<() => void>();

function here(): Place {
  return {
    path: location.pathname.split("/").filter(Boolean).map(safeDecode),
    values: new URLSearchParams(location.search),
  };
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function usePlace(): Place {
  const [place, setPlace] = useState(here);
  useEffect(() => {
    const listener = () => setPlace(here());
    listeners.add(listener);
    addEventListener("popstate", listener);
    return () => {
      listeners.delete(listener);
      removeEventListener("popstate", listener);
    };
  }, []);
  return place;
}

/** Go to a view; "replace" for what is only an adjustment of the present one. */
export function go(to: string, how: "push" | "replace" = "push"): void {
  if (how === "push") history.pushState(null, "", to);
  else history.replaceState(null, "", to);
  for (const listener of listeners) listener();
  if (how === "push") {
    scrollTo(0, 0);
    // A screen reader and the keyboard begin at the new view, as after loading a page.
    document.getElementById("content")?.focus({ preventScroll: true });
  }
}

/** Change parameters of the present view. */
export function adjust(values: Record<string, string | null>, how: "push" | "replace" = "replace"): void {
  const all = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(values)) {
    if (value === null || value === "") all.delete(name);
    else all.set(name, value);
  }
  const text = all.toString();
  const to = text ? `${location.pathname}?${text}` : location.pathname;
  if (how === "push") history.pushState(null, "", to);
  else history.replaceState(null, "", to);
  for (const listener of listeners) listener();
}

interface LinkProps {
  to: string;
  children?: ComponentChildren;
  class?: string;
  title?: string;
  current?: boolean;
}

export function Link({ to, children, current, ...rest }: LinkProps) {
  const follow = (event: MouseEvent) => {
    if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    go(to);
  };
  return (
    <a href={to} onClick={follow} {...rest} aria-current={current ? "page" : undefined}>
      {children}
    </a>
  );
}
