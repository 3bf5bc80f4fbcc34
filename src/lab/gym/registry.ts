import { functionScene } from './function/scene.js'
import { intentionReplay } from './intention/replay.js'
import { intentionScene } from './intention/scene.js'
import type { ReplayForm } from './recording.js'
import type { Scene, SceneRequest } from './scene.js'

/** All gyms: how to enter one, and how its recordings are played again. */

const GYMS = {
  intention: { scene: intentionScene, replay: intentionReplay },
  function: { scene: functionScene, replay: null },
} as const satisfies { readonly [name: string]: GymEntry }

interface GymEntry {
  scene(asked: SceneRequest): Promise<Scene>
  readonly replay: ReplayForm | null
}

export type GymName = keyof typeof GYMS
export const GYM_NAMES = ['intention', 'function'] as const satisfies readonly GymName[]

export function openScene(name: GymName, asked: SceneRequest): Promise<Scene> {
  return GYMS[name].scene(asked)
}

export function replayForm(name: string): ReplayForm | null {
  const found = GYM_NAMES.find(known => known === name)
  return found === undefined ? null : GYMS[found].replay
}
