// Where sites stand on the map: circles that do not overlap, each as near as can be to those it is linked with.
//
// Sites are placed from the largest down. Each looks for a free place on a spiral around the weighted middle of its
// neighbours that stand already. Equal input gives an equal map. A spiral goes on where it last found a place, so the
// whole takes time in proportion to the number of sites.

export interface Graph {
  pages: ArrayLike<number>;
  domain: readonly string[];
  source: ArrayLike<number>;
  target: ArrayLike<number>;
  links: ArrayLike<number>;
}

export interface Layout {
  x: Float32Array;
  y: Float32Array;
  r: Float32Array;
  box: [left: number, top: number, right: number, bottom: number]; // what holds all circles
}

const SMALLEST = 3;
const LARGEST = 110;
const AREA = 200_000;
const GAP = 1.5;
const GOLDEN = Math.PI * (3 - Math.sqrt(5));
const CELL = 24;

class Grid {
  private readonly cells = new Map<number, number[]>();
  constructor(private readonly layout: Layout) {}

  private static key(column: number, row: number): number {
    return (column + 32768) * 65536 + (row + 32768);
  }

  add(node: number): void {
    const { x, y, r } = this.layout;
    const reach = r[node]! + GAP;
    for (let column = Math.floor((x[node]! - reach) / CELL); column <= Math.floor((x[node]! + reach) / CELL); column++)
      for (let row = Math.floor((y[node]! - reach) / CELL); row <= Math.floor((y[node]! + reach) / CELL); row++) {
        const key = Grid.key(column, row);
        const cell = this.cells.get(key);
        if (cell) cell.push(node);
        else this.cells.set(key, [node]);
      }
  }

  isFree(px: number, py: number, radius: number): boolean {
    const { x, y, r } = this.layout;
    const reach = radius + GAP;
    for (let column = Math.floor((px - reach) / CELL); column <= Math.floor((px + reach) / CELL); column++)
      for (let row = Math.floor((py - reach) / CELL); row <= Math.floor((py + reach) / CELL); row++)
        for (const other of this.cells.get(Grid.key(column, row)) ?? []) {
          const distance = radius + r[other]! + GAP;
          if ((px - x[other]!) ** 2 + (py - y[other]!) ** 2 < distance * distance) return false;
        }
    return true;
  }
}

function neighbours(graph: Graph, count: number): { first: Int32Array; other: Int32Array; weight: Float32Array } {
  const first = new Int32Array(count + 1);
  const edges = graph.source.length;
  for (let edge = 0; edge < edges; edge++) {
    first[graph.source[edge]! + 1]!++;
    first[graph.target[edge]! + 1]!++;
  }
  for (let node = 0; node < count; node++) first[node + 1]! += first[node]!;
  const next = first.slice();
  const other = new Int32Array(2 * edges);
  const weight = new Float32Array(2 * edges);
  for (let edge = 0; edge < edges; edge++)
    for (const [from, to] of [
      [graph.source[edge]!, graph.target[edge]!],
      [graph.target[edge]!, graph.source[edge]!],
    ] as const) {
      const place = next[from]!++;
      other[place] = to;
      weight[place] = Math.log1p(graph.links[edge]!);
    }
  return { first, other, weight };
}

export function layOut(graph: Graph): Layout {
  const count = graph.pages.length;
  const layout: Layout = { x: new Float32Array(count), y: new Float32Array(count), r: new Float32Array(count), box: [0, 0, 0, 0] };
  // The circles' area together stays about the same, whatever the number of sites.
  let total = 0;
  for (let node = 0; node < count; node++) total += graph.pages[node]!;
  let most = 1;
  for (let node = 0; node < count; node++) most = Math.max(most, graph.pages[node]!);
  const scale = Math.min(LARGEST / Math.sqrt(most), Math.sqrt(Math.max(AREA, count * 60) / Math.max(total, 1)));
  for (let node = 0; node < count; node++) layout.r[node] = Math.max(SMALLEST, scale * Math.sqrt(graph.pages[node]!));
  const { first, other, weight } = neighbours(graph, count);
  const isPlaced = new Uint8Array(count);
  const homes = new Map<string, [number, number]>(); // where a domain's first site stands
  const steps = new Map<string, number>(); // how far the spiral around a place has come
  const grid = new Grid(layout);
  const order = Array.from({ length: count }, (_, node) => node).sort(
    (a, b) => layout.r[b]! - layout.r[a]! || a - b,
  );
  const box = layout.box;
  for (const node of order) {
    let [cx, cy, sum] = [0, 0, 0];
    for (let place = first[node]!; place < first[node + 1]!; place++) {
      const near = other[place]!;
      if (!isPlaced[near]) continue;
      cx += weight[place]! * layout.x[near]!;
      cy += weight[place]! * layout.y[near]!;
      sum += weight[place]!;
    }
    const home = homes.get(graph.domain[node]!);
    if (home) {
      cx += 2 * home[0];
      cy += 2 * home[1];
      sum += 2;
    }
    if (sum) {
      cx /= sum;
      cy /= sum;
    }
    const r = layout.r[node]!;
    const key = `${Math.round(cx / 40)},${Math.round(cy / 40)},${Math.round(Math.log2(r))}`;
    let step = steps.get(key) ?? 0;
    for (; ; step++) {
      const distance = (0.8 * r + 1) * Math.sqrt(step);
      const px = cx + distance * Math.cos(step * GOLDEN);
      const py = cy + distance * Math.sin(step * GOLDEN);
      if (grid.isFree(px, py, r)) {
        layout.x[node] = px;
        layout.y[node] = py;
        break;
      }
    }
    steps.set(key, step);
    isPlaced[node] = 1;
    grid.add(node);
    if (!home) homes.set(graph.domain[node]!, [layout.x[node]!, layout.y[node]!]);
    box[0] = Math.min(box[0], layout.x[node]! - r);
    box[1] = Math.min(box[1], layout.y[node]! - r);
    box[2] = Math.max(box[2], layout.x[node]! + r);
    box[3] = Math.max(box[3], layout.y[node]! + r);
  }
  return layout;
}
