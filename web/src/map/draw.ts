// The map on a canvas.
import type { MapAnswer } from "../shapes";
import { plain } from "../text";
import { shortName } from "../words";
import type { Layout } from "./layout";

export interface Camera {
  x: number;
  y: number;
  zoom: number;
}

export interface Scene {
  map: MapAnswer;
  layout: Layout;
  colours: string[]; // of each site
  isShown: Uint8Array;
  selected: number; // -1 = none
  camera: Camera;
}

const EDGES = 4000; // lines that are drawn at most; those of the selected site are drawn all
const LABELS = 120;

interface Inks {
  ink: string;
  paper: string;
  line: string;
  accent: string;
}

function inks(canvas: HTMLCanvasElement): Inks {
  const style = getComputedStyle(canvas);
  const value = (name: string) => style.getPropertyValue(name).trim();
  return { ink: value("--ink"), paper: value("--paper"), line: value("--map-line"), accent: value("--accent") };
}

export function draw(canvas: HTMLCanvasElement, scene: Scene): void {
  const context = canvas.getContext("2d");
  if (!context) return;
  const ratio = devicePixelRatio || 1;
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
  }
  const { camera } = scene;
  const ink = inks(canvas);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  context.translate(width / 2, height / 2);
  context.scale(camera.zoom, camera.zoom);
  context.translate(-camera.x, -camera.y);
  drawEdges(context, scene, ink);
  drawCircles(context, scene, ink);
  drawLabels(context, scene, ink, width, height);
}

function drawEdges(context: CanvasRenderingContext2D, scene: Scene, ink: Inks): void {
  const { map, layout, isShown, selected, camera } = scene;
  context.strokeStyle = ink.line;
  context.lineWidth = 0.7 / camera.zoom;
  context.beginPath();
  const count = Math.min(EDGES, map.source.length);
  for (let edge = 0; edge < count; edge++) {
    const [a, b] = [map.source[edge]!, map.target[edge]!];
    if (!isShown[a] || !isShown[b]) continue;
    context.moveTo(layout.x[a]!, layout.y[a]!);
    context.lineTo(layout.x[b]!, layout.y[b]!);
  }
  context.stroke();
  if (selected < 0) return;
  context.strokeStyle = ink.accent;
  context.lineWidth = 1.6 / camera.zoom;
  context.beginPath();
  for (let edge = 0; edge < map.source.length; edge++) {
    const [a, b] = [map.source[edge]!, map.target[edge]!];
    if ((a !== selected && b !== selected) || !isShown[a] || !isShown[b]) continue;
    context.moveTo(layout.x[a]!, layout.y[a]!);
    context.lineTo(layout.x[b]!, layout.y[b]!);
  }
  context.stroke();
}

function drawCircles(context: CanvasRenderingContext2D, scene: Scene, ink: Inks): void {
  const { layout, colours, isShown, selected, camera } = scene;
  // Circles of one colour are one path: ten thousand of them are then a few fills.
  const byColour = new Map<string, Path2D>();
  for (let node = 0; node < colours.length; node++) {
    if (!isShown[node]) continue;
    let path = byColour.get(colours[node]!);
    if (!path) byColour.set(colours[node]!, (path = new Path2D()));
    path.moveTo(layout.x[node]! + layout.r[node]!, layout.y[node]!);
    path.arc(layout.x[node]!, layout.y[node]!, layout.r[node]!, 0, 2 * Math.PI);
  }
  for (const [colour, path] of byColour) {
    context.fillStyle = colour;
    context.fill(path);
  }
  if (selected >= 0) {
    context.strokeStyle = ink.ink;
    context.lineWidth = 3 / camera.zoom;
    context.beginPath();
    context.arc(layout.x[selected]!, layout.y[selected]!, layout.r[selected]! + 2 / camera.zoom, 0, 2 * Math.PI);
    context.stroke();
  }
}

function drawLabels(context: CanvasRenderingContext2D, scene: Scene, ink: Inks, width: number, height: number): void {
  const { map, layout, isShown, selected, camera } = scene;
  const boxes: [number, number, number, number][] = [];
  const size = 12 / camera.zoom;
  context.font = `600 ${size}px system-ui, sans-serif`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.lineJoin = "round";
  context.lineWidth = 3.5 / camera.zoom;
  context.strokeStyle = ink.paper;
  context.fillStyle = ink.ink;
  const [halfWidth, halfHeight] = [width / 2 / camera.zoom, height / 2 / camera.zoom];
  const nodes = selected >= 0 ? [selected] : [];
  for (let node = 0; node < map.site.length && nodes.length < 6 * LABELS; node++)
    if (
      node !== selected &&
      isShown[node] &&
      layout.r[node]! * camera.zoom >= 7 &&
      Math.abs(layout.x[node]! - camera.x) < halfWidth &&
      Math.abs(layout.y[node]! - camera.y) < halfHeight
    )
      nodes.push(node);
  let drawn = 0;
  for (const node of nodes) {
    const name = shortName(plain(map.name[node]!));
    const [x, y] = [layout.x[node]!, layout.y[node]!];
    // Where the whole name does not fit, a little higher or lower, or its beginning.
    const places = [28, 14].flatMap((length) => [0, -1, 1].map((step) => [length, y + step * layout.r[node]! * 0.5] as const));
    for (const [length, at] of places) {
      const text = cut(name, length);
      const half = context.measureText(text).width / 2;
      const box: [number, number, number, number] = [x - half, at - size * 0.7, x + half, at + size * 0.7];
      if (boxes.some((other) => box[0] < other[2] && box[2] > other[0] && box[1] < other[3] && box[3] > other[1])) continue;
      boxes.push(box);
      context.strokeText(text, x, at);
      context.fillText(text, x, at);
      drawn += 1;
      break;
    }
    if (drawn >= LABELS) break;
  }
}

const cut = (text: string, length: number): string => (text.length > length ? `${text.slice(0, length - 1).trimEnd()}…` : text);

/** Return the site at a point of the canvas; -1 if there is none. */
export function siteAt(canvas: HTMLCanvasElement, scene: Scene, px: number, py: number): number {
  const { camera, layout, isShown } = scene;
  const x = (px - canvas.clientWidth / 2) / camera.zoom + camera.x;
  const y = (py - canvas.clientHeight / 2) / camera.zoom + camera.y;
  let [best, least] = [-1, Infinity];
  for (let node = 0; node < layout.x.length; node++) {
    if (!isShown[node]) continue;
    const distance = Math.hypot(layout.x[node]! - x, layout.y[node]! - y) - layout.r[node]!;
    if (distance < least) [best, least] = [node, distance];
  }
  return least <= 4 / camera.zoom ? best : -1;
}

/** Return the nearest shown site in a direction from another, for the arrow keys. */
export function siteTowards(scene: Scene, from: number, dx: number, dy: number): number {
  const { layout, isShown } = scene;
  let [best, least] = [from, Infinity];
  for (let node = 0; node < layout.x.length; node++) {
    if (!isShown[node] || node === from) continue;
    const [x, y] = [layout.x[node]! - layout.x[from]!, layout.y[node]! - layout.y[from]!];
    const along = x * dx + y * dy;
    if (along <= 0) continue;
    const cost = Math.hypot(x, y) + 2 * Math.abs(x * dy - y * dx);
    if (cost < least) [best, least] = [node, cost];
  }
  return best;
}
