import type { Language } from '../../text/language.js'

/** A study file to begin with: every member that klens acts on, and a study that runs as it is within minutes. */

const NOTES = {
  en: {
    question:
      'What is asked, and how it will be judged. Frozen when the first trial begins; what changes later is shown.',
    margin:
      "Differences smaller than this do not matter, in the metric's own unit. Left out: nothing can be called the same.",
    expectations: 'What you expect, written down before there are results.',
    base: 'Settings that all trials share, as for `klens train`; or the path of a config file, from where this file lies.',
    arms: 'What differs. An arm is settings, or a list of arms and settings to stack, of which later ones win.',
    vary: 'Instead of arms: each combination of the values of several settings, or points of your own.',
    seeds: 'How many, or a list. Every arm is trained with each.',
    settle: '`klens study settle` looks at 5, 6, 8, … seeds a side and buys more until it is settled, up to `most`.',
    budget: 'Trials at most, and hours that all epochs together may take.',
  },
  zh: {
    question: '要问什么、如何评判。首个试验开始时冻结；之后的改动会被标出。',
    margin: '小于此值的差异无关紧要（以指标自身的单位计）。不写则永远不会判为“相同”。',
    expectations: '在看到结果之前写下你的预期。',
    base: '所有试验共用的设置，与 `klens train` 相同；也可以是配置文件路径（相对于本文件）。',
    arms: '不同之处。arm 是设置，或由要叠加的 arm 与设置组成的列表，后者优先。',
    vary: '也可以不用 arms：多个设置取值的所有组合，或自己列出的点。',
    seeds: '个数，或列表。每个 arm 用每个种子各训练一次。',
    settle: '`klens study settle` 在每侧 5、6、8……个种子时查看，未有定论就继续购买，最多到 `most`。',
    budget: '最多多少个试验，以及所有 epoch 总共可用的小时数。',
  },
} as const satisfies { readonly [language in Language]: { readonly [note: string]: string } }

export function studyTemplate(language: Language): string {
  const notes = NOTES[language]
  return `# ${notes.question}
question: Does the KL term change what the selector learns on digits?
metric: val.score
direction: max
# ${notes.margin}
margin: 0.02
# ${notes.expectations}
expectations:
  - Without the KL term the score is higher, because nothing holds the policy back.

# ${notes.base}
base:
  task: digits
  epochs: {rce: 1, grpo: 4}

# ${notes.arms}
arms:
  kl: {kl.loss.coef: 0.1}
  no-kl: {kl.loss.coef: 0}
# ${notes.vary}
# vary:
#   kl.loss.coef: [0, 0.1, 0.3]
#   lr.grpo: {log-uniform: [1e-5, 1e-3], count: 4}
#   clip.high: {random: [0.1, 0.3], count: 2}

# ${notes.seeds}
seeds: 3
# ${notes.settle}
settle: {arms: [kl, no-kl], most: 20}
# ${notes.budget}
budget: {trials: 40, hours: 2}

engine: builtin
executor: local
`
}
