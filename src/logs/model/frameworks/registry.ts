import type { FrameworkData } from './framework.js'
import { huggingFace } from './hugging-face.js'
import { klens } from './klens.js'
import { leverPlus } from './lever-plus.js'
import { openrlhf } from './openrlhf.js'
import { slime } from './slime.js'
import { trl } from './trl.js'
import { trlPpo } from './trl-ppo.js'
import { verl } from './verl.js'

/** Every framework, in the order in which a name is read when nothing says whose it is. */
const DATA = [verl, trl, trlPpo, openrlhf, slime, huggingFace, leverPlus, klens] as const

/** Whose names a run speaks. */
export type Framework = (typeof DATA)[number]['id']

export const FRAMEWORK_DATA: readonly FrameworkData<Framework>[] = DATA
