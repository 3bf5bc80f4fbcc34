import { framework } from './framework.js'

/** klens's own trainers, which log under canonical names; detect.ts knows these by the metric table. */
export const klens = framework({
  id: 'klens',
  name: 'klens',
  isCopied: true,
  lossJudges: true,
  tells: { metrics: [], keys: [] },
  metrics: {},
})
