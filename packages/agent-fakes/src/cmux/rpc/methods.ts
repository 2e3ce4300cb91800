import type { CmuxVersion } from '../version.ts';
import { inputMethods, inputStateMethods, pasteMethods } from './input.ts';
import type { Methods } from './method.ts';
import { moveMethods } from './moves.ts';
import { navigationMethods } from './navigation.ts';
import { notificationMethods } from './notifications.ts';
import { surfaceMethods } from './surfaces.ts';
import { capabilitiesMethod, systemMethods } from './system.ts';
import { upkeepMethods } from './upkeep.ts';
import { windowMethods } from './windows.ts';
import { workspaceMethods } from './workspaces.ts';

/** Everything that a version answers, `events.stream` apart, which takes over its connection. */
export function methodsOf(version: CmuxVersion): Methods {
  const methods: Methods = {
    ...systemMethods,
    ...windowMethods,
    ...workspaceMethods,
    ...surfaceMethods,
    ...inputMethods,
    ...moveMethods,
    ...navigationMethods,
    ...upkeepMethods,
    ...notificationMethods,
    ...(version.hasPaste ? pasteMethods : {}),
    ...(version.hasInputState ? inputStateMethods : {}),
  };
  return { ...methods, 'system.capabilities': capabilitiesMethod([...Object.keys(methods), 'system.capabilities']) };
}
