import type { CmuxApp } from '../app.ts';
import { RpcFailure } from '../failure.ts';
import { bytesOfKey } from '../keys.ts';
import type { Place } from '../model.ts';
import { countOf, flagOf, type Params, textOf } from '../params.ts';
import { findPlace, surfaceHandle, terminalOf } from '../routing.ts';
import { idsOf } from '../rows.ts';
import type { Methods } from './method.ts';

export const inputMethods: Methods = {
  'surface.send_text': (app, params) => {
    const text = textOf(params, 'text');
    if (text === undefined) throw new RpcFailure('invalid_params', 'Missing text');
    return send(app, terminalOf(app, params), asTyped(text));
  },
  'surface.send_key': (app, params) => {
    const key = textOf(params, 'key');
    if (key === undefined) throw new RpcFailure('invalid_params', 'Missing key');
    const place = terminalOf(app, params);
    const bytes = bytesOfKey(key);
    if (bytes === undefined) throw new RpcFailure('invalid_params', 'Unknown key', { key });
    return send(app, place, bytes);
  },
  'surface.read_text': (app, params) => read(app, params),
  'surface.clear_history': (app, params) => {
    const place = terminalOf(app, params);
    app.terminals.screenOf(place.surface).clear();
    return idsOf(place);
  },
};

export const pasteMethods: Methods = {
  'terminal.paste': (app, params) => {
    const text = textOf(params, 'text');
    const key = textOf(params, 'submit_key') ?? 'return';
    if (text === undefined) throw new RpcFailure('invalid_params', 'Missing text');
    if (!['return', 'enter', 'ctrl+enter', 'none'].includes(key))
      throw new RpcFailure('invalid_params', 'Unsupported submit_key');
    const place = findPlace(app, surfaceHandle(params));
    if (place === undefined) throw new RpcFailure('not_found', 'Terminal surface not found');
    send(app, place, asTyped(text) + (key === 'none' ? '' : '\r'));
    const { workspace, surface } = place;
    return { workspace_id: workspace.id, surface_id: surface.id, submitted: key !== 'none' };
  },
};

export const inputStateMethods: Methods = {
  'surface.input_state': (app, params) => {
    const { workspace, surface } = terminalOf(app, params);
    return {
      workspace_id: workspace.id,
      surface_id: surface.id,
      state: 'unknown',
      agent: null,
      agent_kind: null,
      lifecycle: 'idle',
      waiting_on_human: false,
      blocks_typing: false,
      draft_length: 0,
    };
  },
};

/** Line ends become Enter; nothing is unescaped, and nothing submits by itself. */
function asTyped(text: string): string {
  return text.replace(/\r\n|\n/g, '\r');
}

function send(app: CmuxApp, place: Place, bytes: string): unknown {
  const { window, workspace, surface } = place;
  if (app.terminals.hasExited(surface)) {
    app.closeSurface(place); // any key closes what says "press any key"
    throw new RpcFailure('process_exited', 'The process has exited', { surface_id: surface.id });
  }
  if (!app.terminals.write(surface, bytes))
    throw new RpcFailure('input_queue_full', 'Input queue is full', { surface_id: surface.id });
  app.feed.emit('surface.input_sent', { surface_id: surface.id, workspace_id: workspace.id });
  return { ...idsOf({ workspace, surface }), queued: surface.terminal === undefined, ...idsOf({ window }) };
}

function read(app: CmuxApp, params: Params): unknown {
  const lines = countOf(params, 'lines');
  if (lines !== undefined && lines <= 0) throw new RpcFailure('invalid_params', 'lines must be greater than 0');
  const place = terminalOf(app, params);
  const { window, workspace, surface } = place;
  if (!surface.isWrittenTo || surface.terminal === undefined)
    throw new RpcFailure('internal_error', 'Failed to read terminal text');
  const screen = app.terminals.screenOf(surface);
  const text = screen.read(lines ?? (flagOf(params, 'scrollback') === true ? Number.MAX_SAFE_INTEGER : undefined));
  return { text, base64: Buffer.from(text).toString('base64'), ...idsOf({ window, workspace, surface }) };
}
