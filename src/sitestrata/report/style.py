"""The style sheet of the report: calm, light and dark, on a phone and on paper."""

__all__ = ["STYLE"]

STYLE = """
:root {
  color-scheme: light dark;
  --ground: #fcfcfa; --panel: #ffffff; --ink: #1d2329; --soft: #5d6770; --line: #e3e5e4; --accent: #1f6f78;
  --bar: #d7e8e8; --chip: #eef2f1;
  --d0: #2b6c74; --d1: #a8ccc9; --d2: #c5dcd4; --d3: #dbe6d7; --d4: #ebebd9; --d5: #f3eede; --few: #e9eaea;
  --on0: #ffffff; --on: #1d2329; --edge: #9fb3b5;
  font: 15px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #14181a; --panel: #1a1f22; --ink: #e3e7e8; --soft: #98a3a8; --line: #2c3438; --accent: #7cc4c9;
    --bar: #23454a; --chip: #252d30;
    --d0: #2f7a82; --d1: #2a555a; --d2: #29484a; --d3: #283d3c; --d4: #283431; --d5: #272d29; --few: #232a2d;
    --on0: #ffffff; --on: #e3e7e8; --edge: #4a6064;
  }
}
* { box-sizing: border-box }
html { scroll-behavior: smooth; -webkit-text-size-adjust: 100% }
body { background: var(--ground); color: var(--ink); max-width: 74rem; margin: 0 auto; padding: 2rem 1.25rem 4rem }
a { color: var(--accent); text-decoration-thickness: 1px; text-underline-offset: 2px }
header h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 .25rem; overflow-wrap: anywhere }
header p { color: var(--soft); margin: 0 0 1.25rem }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr));
  gap: .75rem; margin: 0 0 1.25rem }
.tiles div { background: var(--panel); border: 1px solid var(--line); border-radius: 8px; padding: .6rem .85rem }
.tiles b { display: block; font-size: 1.35rem;
  line-height: 1.3; font-weight: 600; font-variant-numeric: tabular-nums }
.tiles span { color: var(--soft); font-size: .85rem }
nav { display: flex; flex-wrap: wrap; gap: .35rem 1.1rem; padding: .6rem 0; border-block: 1px solid var(--line) }
nav a { text-decoration: none } nav a:hover { text-decoration: underline }
section { margin-top: 2.75rem }
h2 { font-size: 1.2rem; margin: 0 0 .75rem } p { margin: 0 0 .75rem; max-width: 46rem }
small { color: var(--soft); font-size: .85em; font-weight: 400 }
code { font: .86em ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; overflow-wrap: anywhere }
.wide { overflow-x: auto; margin: 0 0 1.25rem;
  border: 1px solid var(--line); border-radius: 8px; background: var(--panel) }
table { border-collapse: collapse; width: 100%; font-size: .92rem }
caption { text-align: left; color: var(--soft); padding: .5rem .85rem 0; font-size: .88rem }
th, td { text-align: left; padding: .42rem .85rem; vertical-align: top; border-bottom: 1px solid var(--line) }
th { color: var(--soft); font-weight: 500; font-size: .85rem; white-space: nowrap }
tbody tr:last-child td { border-bottom: 0 }
tbody tr:hover td { background: color-mix(in srgb, var(--chip) 55%, transparent) }
td { overflow-wrap: anywhere; max-width: 26rem; min-width: 4.5rem } td:first-child { min-width: 10rem }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
.bar { display: inline-block; min-width: 5.5rem;
  padding: 0 .4rem; border-radius: 4px; font-variant-numeric: tabular-nums;
  background: linear-gradient(to right, var(--bar) var(--share), var(--chip) var(--share)) }
.card { background: var(--panel); border: 1px solid var(--line);
  border-radius: 8px; margin: 0 0 .75rem; padding: .1rem 1rem }
.card > summary { cursor: pointer; font-weight: 600; padding: .6rem 0; overflow-wrap: anywhere }
.card dl { display: grid; grid-template-columns: 6.5rem 1fr;
  gap: .25rem .75rem; margin: 0 0 .9rem; font-size: .92rem }
.card dt { color: var(--soft) } .card dd { margin: 0; overflow-wrap: anywhere; min-width: 0 }
.card:target { border-color: var(--accent) }
.chips { list-style: none; display: flex; flex-wrap: wrap; gap: .3rem; margin: 0; padding: 0 }
.chips li { background: var(--chip); border-radius: 999px; padding: 0 .6rem }
.tree { column-width: 19rem; column-gap: 2rem; padding-left: 1.1rem; margin: 0 } .tree ul { padding-left: 1.1rem }
.picture { margin: 0 0 1rem; overflow-x: auto } svg { display: block; width: 100%; height: auto; min-width: 34rem }
svg text { font-size: 11px; fill: var(--on); pointer-events: none }
.d0 { fill: var(--d0) } .d1 { fill: var(--d1) } .d2 { fill: var(--d2) } .d3 { fill: var(--d3) }
.d4 { fill: var(--d4) } .d5 { fill: var(--d5) } .few { fill: var(--few) }
.d0 + text { fill: var(--on0) }
.map { background: var(--panel); border: 1px solid var(--line); border-radius: 8px }
.map line { stroke: var(--edge); } .map circle { fill: var(--d1); stroke: var(--d0); stroke-width: 1 }
.map text { paint-order: stroke; stroke: var(--panel); stroke-width: 3px; stroke-linejoin: round }
footer { margin-top: 3rem; color: var(--soft);
  font-size: .85rem; border-top: 1px solid var(--line); padding-top: .75rem }
@media (max-width: 40rem) {
  body { padding: 1.25rem .9rem 3rem } .card dl { grid-template-columns: 1fr } .card dt { margin-top: .35rem }
  th, td { padding: .4rem .6rem }
}
@media print {
  :root { --ground: #fff; --panel: #fff; --ink: #000; --soft: #444; --line: #ccc; --accent: #000;
    --bar: #ddd; --chip: #f4f4f4; --on: #000; --edge: #999; font-size: 10.5px;
    --d1: #a8ccc9; --d2: #c5dcd4; --d3: #dbe6d7; --d4: #ebebd9; --d5: #f3eede; --few: #e9eaea }
  @page { margin: 14mm }
  body { max-width: none; padding: 0 } nav { display: none } a { text-decoration: none }
  .wide, .picture { overflow: visible } svg { min-width: 0 } table { font-size: 9.5px }
  th, td { padding: 2px 6px } td { max-width: none } thead { display: table-header-group }
  tr, .card, svg, .tiles div { break-inside: avoid } h2 { break-after: avoid }
  details::details-content { content-visibility: visible; display: block }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact }
}
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto } }
"""
