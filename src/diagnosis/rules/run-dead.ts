import { percentage } from '../../text/figure.js'
import { runRule, tooShort } from '../run-rule.js'
import { stepsOf } from '../signs/curve.js'
import { DEAD_THRESHOLDS, deadEnd, deadPoints, FEWEST_DEAD, updateSize } from '../signs/dead-run.js'

export const runDead = runRule({
  id: 'run-dead',
  severity: 'error',
  about: {
    en: 'No gradient and no loss up to the end of the log: every further step is paid for and does nothing.',
    zh: '直到日志末尾梯度与 loss 都为 0：之后每一步都在花钱而毫无作用。',
  },
  needs: ['grad.norm', ['loss.policy', 'loss.total']],
  thresholds: DEAD_THRESHOLDS,
  says: {
    'run-dead': {
      en: 'gradient and loss are 0 on {share} % of the steps from {from} to {to}: nothing is learned any more',
      zh: '从 step {from} 到 step {to}，{share}% 的 step 梯度和 loss 均为 0：梯度归零，已停止更新',
    },
    'run-dead.start': {
      en: 'gradient and loss are 0 on {share} % of the steps from the first, {from}, to {to}: the policy is not updated',
      zh: '从最初的 step {from} 到 step {to}，{share}% 的 step 梯度和 loss 均为 0：策略没有更新',
    },
    'run-dead.remedy': {
      en: 'stop the run; take the best checkpoint before step {from}, and look at entropy, rewards and learning rate just before it',
      zh: '停止该 run；取 step {from} 之前最好的 checkpoint，并查看此前的熵、reward 和学习率',
    },
    'run-dead.start.remedy': {
      en: 'stop the run; check from step {from} that rewards differ within a group, that the sampler has the trained weights, and that parameters are not frozen',
      zh: '停止该 run；从 step {from} 起检查：组内 reward 是否有差异、采样端是否加载了训练权重、参数是否被冻结',
    },
  },
  check(subject, { say }) {
    const update = updateSize(subject)
    if (update === undefined) return
    const { metric, steps } = update
    if (steps.length < FEWEST_DEAD) return tooShort(update, FEWEST_DEAD)
    const dead = deadEnd(update)
    if (dead === undefined) return
    const [from, to] = stepsOf(dead)
    const born = from === steps[0]
    return {
      steps: [from, to],
      evidence: { gradient: metric, deadPoints: deadPoints(dead), points: dead.steps.length },
      message: say(born ? 'run-dead.start' : 'run-dead', {
        from,
        to,
        share: percentage(deadPoints(dead) / dead.steps.length),
      }),
      remedy: say(born ? 'run-dead.start.remedy' : 'run-dead.remedy', { from }),
    }
  },
})
