// How crawled text and numbers are put on the page.
import { options } from "preact";

// Bidirectional and other controls reorder or hide what a person reads (Unicode UAX 9, UTS 36).
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

/** Return text that reads as it is written. */
export function plain(text: string): string {
  return text.replace(CONTROLS, "\ufffd");
}

type AnyNode = { type: unknown; props: Record<string, unknown> };

function cleaned(child: unknown): unknown {
  if (typeof child === "string") return plain(child);
  if (Array.isArray(child)) return child.map(cleaned);
  return child;
}

/** Make every text that is ever rendered go through `plain`: in one place, so that no view can forget it. */
export function guardTexts(): void {
  const before = options.vnode;
  options.vnode = (node) => {
    const { type, props } = node as unknown as AnyNode;
    if (typeof type === "string") {
      if (props.children !== undefined) props.children = cleaned(props.children);
      for (const name of ["title", "aria-label", "alt", "placeholder"]) {
        const value = props[name];
        if (typeof value === "string") props[name] = plain(value);
      }
    }
    before?.(node);
  };
}

const NUMBERS = new Intl.NumberFormat("en");
export const count = (value: number): string => NUMBERS.format(value);
export const percent = (value: number): string => `${Math.round(value * 100)} %`;

export function plural(value: number, noun: string, many = `${noun}s`): string {
  return `${count(value)} ${value === 1 ? noun : many}`;
}

export function bytes(value: number): string {
  const units = ["bytes", "kB", "MB", "GB", "TB"];
  let place = 0;
  while (value >= 1000 && place < units.length - 1) {
    value /= 1000;
    place += 1;
  }
  return `${place ? value.toFixed(1) : value} ${units[place]}`;
}

/** Return an address without what every address has. */
export function shortUrl(url: string): string {
  return url.replace(/^https?:\/\//, "").replace(/\/$/, "");
}
