// What the server answers with (sitestrata.report.server.shapes).

export interface Stage { stage: string; rows: Record<string, number>; seconds: number; is_stale: boolean }
export interface Overview {
  name: string; version: string; summary: string; is_finished: boolean; counts: Record<string, number>;
  missing: string[]; stages: Stage[]; sources: { name: string; kind: string; size: number }[];
  rejects: { stage: string; reason: string; count: number; detail: string; examples: string[] }[];
  objectives: { partition: string; parts: number; value: number }[];
  compare: string[]; decisions: number; pending: boolean;
}
export interface SiteRow {
  site: string; name: string; entry_url: string; hosts: string[]; pages: number; sections: number;
  parent: string | null; method: string; confidence: number;
}
export interface Screen<T> { rows: T[]; total: number; next: string | null; previous: string | null }
export interface PageRow {
  page: string; url: string; title: string; host: string; language: string; links: number; text: number;
  site: string | null; subsite: string | null; is_apart: boolean; method: string; confidence: number;
}
export interface MapAnswer {
  site: string[]; name: string[]; host: string[]; domain: string[]; method: string[]; pages: number[];
  confidence: number[]; source: number[]; target: number[]; links: number[]; total: number;
}
export interface Site extends SiteRow {
  host_pages: { host: string; pages: number }[];
  subsites: { subsite: string; pages: number; sign: string; navigation: string; is_apart: boolean; url: string; title: string }[];
  above: SiteRow | null;
  children: SiteRow[];
  profile: { access: string; keywords: string[]; depth: number; documents: number; name_source: string } | null;
  neighbours: { site: string; name: string; entry_url: string; out: number; in: number }[];
  has_tree: boolean; has_menus: boolean;
}
export interface TreeChild {
  page: string; label: string; url: string; children: number; pages: number; evidence: string[]; is_subsite: boolean;
}
export interface Crumb { page: string; label: string }
export interface TreeHit { page: string; label: string; url: string; trail: Crumb[] }
export interface Ready<T> { is_ready: boolean; rows: T[]; total?: number }
export interface Item { label: string; url: string | null; page: string | null; level: number; pages: number }
export interface MenuRow {
  menu: string; role: string; role_confidence: number; kind: string; signature: string; reason: string; pages: number;
  items: Item[];
}
export interface Scale {
  scale: number; size: number; conductance: number; sites: { site: string; name: string; pages: number }[];
  sample: string[];
}
export interface Scales { is_ready: boolean; reason: string; chain: Scale[]; alternatives: number[]; chosen: number | null }
export interface Layer { name: string; colour: string; bit: number; count: number; is_ready: boolean; why: string }
export interface PageAnswer extends PageRow {
  site_name: string | null; entry_url: string | null; trail: Crumb[]; layers: Layer[];
}
export interface LabelNode {
  ordinal: number; parent: number; kind: string; role: string; label: string; url: string | null; node: number;
  leaf: number; // the node of its first leaf
}
export interface LabelsAnswer { is_ready: boolean; reason: string; rows: LabelNode[]; total: number }
export interface PageTable {
  index: number; node: number; orientation: string; title: string | null; rows: number; columns: number;
  grid: string[][]; header_cells: [number, number][];
}
export interface Concepts { is_ready: boolean; rows: ConceptRow[]; domains: { domain: string; sites: string[] }[] }
export interface ConceptRow {
  concept: string; domain: string; label: string; support: number; confidence: number; children: number; instances: number;
  is_frequent: boolean;
}
export interface Tie {
  parent: string; child: string; parent_label: string; child_label: string; support: number; confidence: number;
  is_facet: boolean; evidence: string[]; pages: string[];
}
export interface Concept {
  concept: string; label: string; language: string | null; support: number; confidence: number; urls: string[];
  sites: string[];
  labels: { label: string; support: number; evidence: string; merged_with: string | null; confidence: number }[];
  broader: Tie[]; narrower: Tie[];
}
export interface Instance {
  page: string; instance: string; name: string; url: string | null; kind: string; confidence: number;
  attributes: { label: string | null; value: string; kind: string; unit: string | null }[];
}
export interface Instances {
  is_ready: boolean; rows: Instance[]; total: number;
  facets: { label: string; values: { value: string; count: number }[] }[];
}
export interface Decision {
  id: string; at: string; kind: string; subject: string; object: string; was: string; note: string;
  is_withdrawn: boolean; is_lapsed: boolean;
}
export interface PairSide { page: string; url: string; title: string }
export interface Comparison {
  counts: { new: number; lost: number; moved: number; kept: number };
  sites: {
    before: { name: string; entry_url: string; pages: number };
    after: { name: string; entry_url: string; pages: number; site: string };
    shared: number;
  }[];
  menus: { site: string; name: string; gone: { label: string; url: string }[]; came: { label: string; url: string }[] }[];
}
export interface ChangedPage { url: string; title: string; page: string | null; before: string | null; after: string | null }
export interface Job {
  run: number; status: "running" | "done" | "failed" | "cancelled"; began: number; ended: number | null; command: string;
  stages: { stage: string; done: number; total: number; state: string }[]; log: string[]; dropped: number;
}
