// What the tables say in a word, said in plain words.

const METHODS: Record<string, string> = {
  links: "the menus, links and files it shares with the pages around it",
  ties: "the links, titles, templates and addresses that tie its sections",
  menus: "the menus that its pages share",
  generic: "no menu: all pages without one are together",
  alone: "nothing: no other page shares enough with it",
  decision: "a decision of yours",
};

const SIGNS: Record<string, string> = {
  part: "it has a home page and a navigation of its own",
  edition: "another part of the site mirrors it, page by page",
  make: "its pages are of another make than those around them",
  host: "it stands on a host of its own",
};

const MENUS: Record<string, string> = {
  main: "Main menu",
  local: "Local menu",
  footer: "Footer menu",
  language: "Language switch",
  version: "Version switch",
  pager: "Pager",
  breadcrumb: "Breadcrumb",
  toc: "List of contents",
  organisation: "Organisation bar",
  other: "Other menu",
};

const REASONS: Record<string, string> = {
  widest: "no other menu stands on more of the site's pages",
  "widest-and-first": "of the menus that stand on most pages it comes first",
  "widest-and-second": "it stands on as many pages as the main menu, but behind it",
  "widest-and-last": "it stands on most pages, at their end",
  "wider-menu": "it stands on a part of the pages that a wider menu has",
  "last-behind-others": "it stands at the end of its pages, behind other menus",
  "targets-do-not-show-it": "the pages that it leads to do not show it",
  "targets-lead-back": "it stands on one page only, and the pages it leads to link back",
  "targets-in-different-languages": "the pages it leads to are in different languages",
  "targets-share-only-the-template": "the pages it leads to share a template and nothing else",
  "targets-share-nothing-else": "the pages it leads to share nothing but this menu",
  "steps-continue": "each step leads to the page above",
  "neighbours-answer": "the pages before and after lead back",
  "same-labels-other-pages": "the same labels lead to other pages on each page",
  decision: "a decision of yours",
};

const PLACES: Record<string, string> = {
  markup: "declared breadcrumb",
  trail: "breadcrumb",
  up: "declared link up",
  role: "link that leads up",
  number: "numbering",
  nesting: "nested list",
  series: "series of pages",
  list: "listed there",
  menu: "menu",
  address: "address",
  entry: "nothing but the entry page",
};

const LABELS: Record<string, string> = {
  first: "",
  file: "from a file, for",
  seed: "given, for",
  stem: "the same words as",
  switch: "by a language switch the same as",
  words: "the same words but for the site's own, as",
  target: "leads to the same page as",
  wordnet: "means the same in WordNet as",
  short: "a short form for",
  form: "another form of",
  choice: "one site's choice for",
  joint: "named together with",
  page: "on a page that speaks of",
  part: "a part of the words of",
  word: "a site's one word for",
  similar: "used like",
  place: "in the same place as",
};

const said = (words: Record<string, string>) => (name: string): string => words[name] ?? name.replaceAll("-", " ");

export const method = said(METHODS);
export const subsiteSign = said(SIGNS);
export const menuName = said(MENUS);
export const reason = said(REASONS);
export const placeName = said(PLACES);
export const labelTie = said(LABELS);

const BREAKS = /\s+[|•·–—:»>-]+\s+|\s*::\s*|:\s+/;

/** Return a name for where there is little room: up to where a title goes on to something else. */
export function shortName(name: string): string {
  const first = name.split(BREAKS)[0]?.trim() ?? "";
  return first.length > 2 ? first : name;
}
