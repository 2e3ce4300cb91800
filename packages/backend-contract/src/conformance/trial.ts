import type { Scene } from './scene.ts';

/** One thing to try in a scene; returns what was wrong, or undefined where the promise held. */
export interface Trial {
  readonly name: string;
  readonly try: (scene: Scene) => Promise<string | undefined>;
}
