import { sentences } from '../../text/sentences.js'

/** What the reader of OpenRLHF's console has to say. */
export const say = sentences({
  'openrlhf.bad-status': {
    en: 'the metrics of {count} {count|step|steps} could not be read (first: global step {step}); left out',
    zh: '有 {count} 个 step 的指标无法解析（首个：global step {step}），已略过',
  },
})
