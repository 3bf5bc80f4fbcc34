import { functionReplay } from './function/function.js'
import { functionScene } from './function/scene.js'
import { intentionReplay } from './intention/replay.js'
import { intentionScene } from './intention/scene.js'
import { persuadeReplay } from './persuade/persuade.js'
import { persuadeScene } from './persuade/scene.js'
import type { ReplayForm } from './recording.js'
import type { Scene, SceneRequest } from './scene.js'
import { telepathyScene } from './telepathy/scene.js'
import { telepathyReplay } from './telepathy/telepathy.js'
import { turtleScene } from './turtle/scene.js'
import { turtleReplay } from './turtle/turtle.js'

/** All gyms: how to enter one, and how its recordings are played again. */

export const GYM_NAMES = ['intention', 'function', 'telepathy', 'turtle', 'persuade'] as const
export type GymName = (typeof GYM_NAMES)[number]

interface GymEntry {
  scene(asked: SceneRequest): Promise<Scene>
  readonly replay: ReplayForm
}

const GYMS: { readonly [name in GymName]: GymEntry } = {
  intention: { scene: intentionScene, replay: intentionReplay },
  function: { scene: functionScene, replay: functionReplay },
  telepathy: { scene: telepathyScene, replay: telepathyReplay },
  turtle: { scene: turtleScene, replay: turtleReplay },
  persuade: { scene: persuadeScene, replay: persuadeReplay },
}

export function openScene(name: GymName, asked: SceneRequest): Promise<Scene> {
  return GYMS[name].scene(asked)
}

export function replayForm(name: string): ReplayForm | null {
  const known = GYM_NAMES.find(each => each === name)
  return known === undefined ? null : GYMS[known].replay
}
