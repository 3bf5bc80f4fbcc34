import { areal } from './areal.js'
import { cleanrl } from './cleanrl.js'
import { easyr1 } from './easyr1.js'
import type { FrameworkData } from './framework.js'
import { huggingFace } from './hugging-face.js'
import { klens } from './klens.js'
import { leverPlus } from './lever-plus.js'
import { lightning } from './lightning.js'
import { llamaFactory } from './llama-factory.js'
import { msSwift } from './ms-swift.js'
import { nanogpt } from './nanogpt.js'
import { nemoRl } from './nemo-rl.js'
import { openaiBaselines } from './openai-baselines.js'
import { openrlhf } from './openrlhf.js'
import { primeRl } from './prime-rl.js'
import { rllib } from './rllib.js'
import { rllm } from './rllm.js'
import { roll } from './roll.js'
import { rslRl } from './rsl-rl.js'
import { skyrl } from './skyrl.js'
import { slime } from './slime.js'
import { spinningUp } from './spinning-up.js'
import { stableBaselines3 } from './stable-baselines3.js'
import { tinker } from './tinker.js'
import { torchforge } from './torchforge.js'
import { torchtune } from './torchtune.js'
import { trl } from './trl.js'
import { trlPpo } from './trl-ppo.js'
import { userrl } from './userrl.js'
import { verifiers } from './verifiers.js'
import { verl } from './verl.js'

/** Every framework, in the order in which a name is read when nothing says whose it is. */
// biome-ignore format: a list of many is read in groups
const DATA = [
  verl, trl, trlPpo, openrlhf,
  slime, areal, primeRl, nemoRl, skyrl, roll, rllm, tinker, easyr1, userrl,
  msSwift, llamaFactory, torchtune, torchforge, verifiers,
  huggingFace, leverPlus, klens,
  stableBaselines3, cleanrl, rslRl, spinningUp, openaiBaselines, rllib, lightning, nanogpt,
] as const

/** Whose names a run speaks. */
export type Framework = (typeof DATA)[number]['id']

export const FRAMEWORK_DATA: readonly FrameworkData<Framework>[] = DATA
