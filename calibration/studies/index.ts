import type { Study } from '../study.js'
import { best, bestWatched } from './best.js'
import { choices } from './choose.js'
import { speed, stability, stabilityOfRuns } from './course.js'
import { dropFirst, dropInLabs, dropMadeUp } from './drop.js'
import { frontier } from './frontier.js'
import { gateEqual, gateIdeas, gateLabsEqual, gateLabsGains } from './gate.js'
import { passAt, tasks } from './items.js'
import { klGradients } from './kl-gradient.js'
import { growingGap, level, robustness, scatter } from './level.js'
import { peeking } from './live.js'
import { severalOthers, severalSets } from './many.js'
import { levelOnset, slopeOnset, trends } from './onset.js'
import { gradedPrompts, prompts } from './prompts.js'
import { bootstrapSeeds, lentScatter, seeds, unequalSeeds } from './seeds.js'
import { settleBuying, settleByPrompts, settleBySeeds, settleSeveral } from './settle.js'
import { falseStops, trueStops } from './stop.js'
import { sweeps } from './sweeps.js'
import { union } from './union.js'

export const STUDIES: readonly Study[] = [
  level,
  robustness,
  scatter,
  growingGap,
  severalOthers,
  severalSets,
  union,
  sweeps,
  frontier,
  seeds,
  unequalSeeds,
  bootstrapSeeds,
  lentScatter,
  prompts,
  gradedPrompts,
  tasks,
  passAt,
  best,
  bestWatched,
  choices,
  stability,
  stabilityOfRuns,
  speed,
  levelOnset,
  slopeOnset,
  trends,
  peeking,
  falseStops,
  trueStops,
  settleBySeeds,
  settleSeveral,
  settleByPrompts,
  settleBuying,
  dropInLabs,
  dropMadeUp,
  dropFirst,
  gateEqual,
  gateLabsEqual,
  gateLabsGains,
  gateIdeas,
  klGradients,
]
