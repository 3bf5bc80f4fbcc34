import { cleanrl } from './cleanrl.js'
import type { FrameworkData } from './framework.js'
import { huggingFace } from './hugging-face.js'
import { klens } from './klens.js'
import { leverPlus } from './lever-plus.js'
import { lightning } from './lightning.js'
import { nanogpt } from './nanogpt.js'
import { openaiBaselines } from './openai-baselines.js'
import { openrlhf } from './openrlhf.js'
import { rllib } from './rllib.js'
import { rslRl } from './rsl-rl.js'
import { slime } from './slime.js'
import { spinningUp } from './spinning-up.js'
import { stableBaselines3 } from './stable-baselines3.js'
import { trl } from './trl.js'
import { trlPpo } from './trl-ppo.js'
import { verl } from './verl.js'

/** Every framework, in the order in which a name is read when nothing says whose it is. */
const DATA = [
  ...[verl, trl, trlPpo, openrlhf, slime, huggingFace, leverPlus, klens],
  ...[stableBaselines3, cleanrl, rslRl, spinningUp, openaiBaselines, rllib, lightning, nanogpt],
] as const

/** Whose names a run speaks. */
export type Framework = (typeof DATA)[number]['id']

export const FRAMEWORK_DATA: readonly FrameworkData<Framework>[] = DATA
