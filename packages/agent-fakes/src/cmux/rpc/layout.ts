import { join } from 'node:path';
import type { CmuxApp } from '../app.ts';
import { RpcFailure } from '../failure.ts';
import type { Place, Surface } from '../model.ts';
import { type Params, textOf, textsOf } from '../params.ts';

/** A terminal of a layout. What is to run in it is typed into its shell. */
interface LaidSurface {
  readonly name: string | undefined;
  readonly directory: string | null;
  readonly environment: Readonly<Record<string, string>>;
  readonly input: string;
}

/** The panes of a layout, each with its surfaces, in reading order; how they are split is of no account here. */
export function panesOf(layout: unknown, folder: string): readonly (readonly [LaidSurface, ...LaidSurface[]])[] {
  const node = objectOf(layout) ?? refuse('layout must be a valid JSON object');
  const pane = objectOf(node['pane']);
  if (pane !== undefined) return [surfacesOf(pane['surfaces'], folder)];
  const { children } = node;
  if (!Array.isArray(children) || children.length !== 2) refuse('Invalid layout: a split has exactly two children');
  return (children as readonly unknown[]).flatMap((child) => panesOf(child, folder));
}

/** Lays out a workspace whose first surface is made of the layout's first already. */
export function layOut(app: CmuxApp, first: Place, panes: ReturnType<typeof panesOf>): void {
  for (const [index, [head, ...rest]] of panes.entries()) {
    const place = index === 0 ? first : app.split(first, { by: 'client', ...head });
    entitle(place.surface, head);
    for (const one of rest) entitle(app.addTab(place, { by: 'client', ...one }).surface, one);
  }
}

function entitle(surface: Surface, { name }: LaidSurface): void {
  if (name !== undefined) Object.assign(surface, { title: name, hasCustomTitle: true });
}

function surfacesOf(surfaces: unknown, folder: string): readonly [LaidSurface, ...LaidSurface[]] {
  const [first, ...rest] = Array.isArray(surfaces) ? surfaces.map((one) => surfaceOf(one, folder)) : [];
  return first === undefined ? refuse('Invalid layout: a pane needs a surface') : [first, ...rest];
}

function surfaceOf(value: unknown, folder: string): LaidSurface {
  const params: Params = objectOf(value) ?? refuse('Invalid layout: a surface is an object');
  const command = textOf(params, 'command');
  return {
    name: textOf(params, 'name'),
    directory: join(folder, textOf(params, 'cwd') ?? '.'),
    environment: textsOf(params, 'env'),
    input: command === undefined ? '' : `${command}\r`,
  };
}

function objectOf(value: unknown): Params | undefined {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as Params) : undefined; // read by name, whatever it holds
}

function refuse(message: string): never {
  throw new RpcFailure('invalid_params', message);
}
