import { sentences } from '../../text/sentences.js'
import { type Fault, fault } from '../assertion.js'
import { printedAs } from './figure.js'
import { nameOf } from './log.js'
import type { FigureJudgement } from './reading.js'
import type { TracedFigure } from './trace.js'

/** What a contradicted figure should have been, in one sentence: the run, the metric, the part and the figure. */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.data-at': { en: '“{quote}”: the log of {run} has {expected} ({metric}, step {step})', zh: '“{quote}”：{run} 的日志为 {expected}（{metric}，step {step}）' },
  'audit.data-last': { en: '“{quote}”: {run} ends with {expected} ({metric}, step {step})', zh: '“{quote}”：{run} 的最终值为 {expected}（{metric}，step {step}）' },
  'audit.data-first': { en: '“{quote}”: {run} begins with {expected} ({metric}, step {step})', zh: '“{quote}”：{run} 的起始值为 {expected}（{metric}，step {step}）' },
  'audit.data-max': { en: '“{quote}”: the highest that {run} logged is {expected} ({metric}, step {step})', zh: '“{quote}”：{run} 日志中的最大值为 {expected}（{metric}，step {step}）' },
  'audit.data-min': { en: '“{quote}”: the lowest that {run} logged is {expected} ({metric}, step {step})', zh: '“{quote}”：{run} 日志中的最小值为 {expected}（{metric}，step {step}）' },
  'audit.data-mean': { en: '“{quote}”: the mean of what {run} logged there is {expected} ({metric})', zh: '“{quote}”：{run} 日志中相应的平均值为 {expected}（{metric}）' },
  'audit.data-max-step': { en: '“{quote}”: the highest that {run} logged is at step {expected} ({metric})', zh: '“{quote}”：{run} 日志中的最大值在 step {expected}（{metric}）' },
  'audit.data-min-step': { en: '“{quote}”: the lowest that {run} logged is at step {expected} ({metric})', zh: '“{quote}”：{run} 日志中的最小值在 step {expected}（{metric}）' },
  'audit.data-step': { en: '“{quote}”: the log of {run} has that figure at step {expected} ({metric})', zh: '“{quote}”：{run} 的日志中该值在 step {expected}（{metric}）' },
  'audit.data-across-mean': { en: '“{quote}”: the mean over the {runs} run{runs||s} of {run} is {expected} ({metric})', zh: '“{quote}”：{run} 的 {runs} 个 run 平均为 {expected}（{metric}）' },
  'audit.data-across-std': { en: '“{quote}”: the standard deviation over the {runs} run{runs||s} of {run} is {expected} ({metric})', zh: '“{quote}”：{run} 的 {runs} 个 run 的标准差为 {expected}（{metric}）' },
  'audit.data-across-max': { en: '“{quote}”: the highest of the {runs} run{runs||s} of {run} is {expected} ({metric})', zh: '“{quote}”：{run} 的 {runs} 个 run 中最高为 {expected}（{metric}）' },
  'audit.data-across-min': { en: '“{quote}”: the lowest of the {runs} run{runs||s} of {run} is {expected} ({metric})', zh: '“{quote}”：{run} 的 {runs} 个 run 中最低为 {expected}（{metric}）' },
  'audit.data-computed': { en: '“{quote}”: the logs give {expected} ({how}; {metric})', zh: '“{quote}”：由日志算得 {expected}（{how}；{metric}）' },
  'audit.data-setting': { en: '“{quote}”: the config of {run} has {expected} ({metric})', zh: '“{quote}”：{run} 的配置为 {expected}（{metric}）' },
  'audit.data-count': { en: '“{quote}”: the logs have {expected} ({metric})', zh: '“{quote}”：日志中为 {expected}（{metric}）' },
})

type Contradiction = Extract<FigureJudgement, { state: 'contradicted' }> & TracedFigure

export function contradiction({ figure, reading, value, quote }: Contradiction): Fault {
  const { address, kind, metric } = reading
  const expected = printedAs(value.printed, {
    decimals: kind === 'setting' ? 12 : figure.quantity.decimals,
    text: figure.text,
  })
  const words = {
    quote,
    metric: metric.name,
    expected: kind === 'setting' ? String(value.value) : expected,
    run: value.run?.name ?? nameOf(address?.runs ?? []),
    runs: address?.runs.length ?? 1,
    step: value.step ?? 0,
  }
  const message = () => {
    if (kind === 'count') return say('audit.data-count', words)
    if (kind === 'setting') return say('audit.data-setting', words)
    if (reading.computed !== null || address === null)
      return say('audit.data-computed', { ...words, how: reading.computed ?? '' })
    if (address.across !== null) return say(`audit.data-across-${address.across}`, words)
    switch (address.part.kind) {
      case 'maxStep':
        return say('audit.data-max-step', words)
      case 'minStep':
        return say('audit.data-min-step', words)
      case 'over':
      case 'tail':
      case 'mean':
        return say('audit.data-mean', words)
      case 'steps':
      case 'points':
        return say('audit.data-count', words)
      default:
        return kind === 'step' ? say('audit.data-step', words) : say(`audit.data-${address.part.kind}`, words)
    }
  }
  return fault('data-value', figure.offset, message(), {
    found: figure.text,
    expected: words.expected,
    // Who says "estimated" did not claim to have measured.
    ...(figure.quantity.hedge === null ? {} : { severity: 'warning' as const }),
  })
}
