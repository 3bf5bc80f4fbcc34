import type { Message } from '../../logs/model/run.js'
import { sentences } from '../../text/sentences.js'
import type { LedgerEntry, LoggedPlace } from './entry.js'

/** Where a figure comes from, in one line: what the terminal, the page and the marked report say of it. */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'ledger.of.at': { en: '{run}: {metric}, step {step}{where}', zh: '{run}：{metric}，step {step}{where}' },
  'ledger.of.last': { en: '{run}: {metric}, last value (step {step}){where}', zh: '{run}：{metric}，末值（step {step}）{where}' },
  'ledger.of.first': { en: '{run}: {metric}, first value (step {step}){where}', zh: '{run}：{metric}，首个值（step {step}）{where}' },
  'ledger.of.max': { en: '{run}: {metric}, highest value (step {step}){where}', zh: '{run}：{metric}，最大值（step {step}）{where}' },
  'ledger.of.min': { en: '{run}: {metric}, lowest value (step {step}){where}', zh: '{run}：{metric}，最小值（step {step}）{where}' },
  'ledger.of.mean': { en: '{run}: {metric}, mean of all steps', zh: '{run}：{metric}，全程平均' },
  'ledger.of.median': { en: '{run}: {metric}, median of all steps', zh: '{run}：{metric}，全程中位数' },
  'ledger.of.std': { en: '{run}: {metric}, std over all steps', zh: '{run}：{metric}，全程标准差' },
  'ledger.of.window': { en: '{run}: {metric}, {made} of steps {first} to {last}', zh: '{run}：{metric}，step {first} 至 {last} 的 {made}' },
  'ledger.of.tail': { en: '{run}: {metric}, {made} of the last {last}', zh: '{run}：{metric}，最后 {last} 个的 {made}' },
  'ledger.of.step': { en: '{run}: {metric} has the figure beside it there{where}', zh: '{run}：{metric} 在此步取得旁边的数值{where}' },
  'ledger.of.across': { en: '{run}: {metric}, {made} of {runs} run{runs||s} ({part})', zh: '{run}：{metric}，{runs} 个 run 的 {made}（{part}）' },
  'ledger.of.curve': { en: '{run}: {metric}, mean over {runs} runs at each step ({part})', zh: '{run}：{metric}，{runs} 个 run 逐步平均（{part}）' },
  'ledger.of.setting': { en: '{run}: {metric} in its config', zh: '{run}：配置项 {metric}' },
  'ledger.of.count': { en: 'counted in the logs ({metric})', zh: '由日志计数（{metric}）' },
  'ledger.of.derived': { en: 'computed: {how}', zh: '算得：{how}' },
  'ledger.of.expected': { en: '{expected} by the logs ({how})', zh: '日志给出 {expected}（{how}）' },
  'ledger.of.chance': { en: 'matches a logged value only by its size', zh: '仅数值大小与某个日志值相近' },
  'ledger.of.nothing': { en: 'no logged value with a matching name agrees with it', zh: '没有查到与之对应的日志值' },
})

export function sourceWords({ source, fitsByChance }: Pick<LedgerEntry, 'source' | 'fitsByChance'>): Message {
  if (source === null) return say(fitsByChance ? 'ledger.of.chance' : 'ledger.of.nothing', {})
  if ('expected' in source) return say('ledger.of.expected', { expected: source.expected, how: source.derived })
  if ('derived' in source) return say('ledger.of.derived', { how: source.derived })
  if (!('from' in source)) return placeWords(source)
  const expected = String(Number(source.logged.toPrecision(6)))
  return say('ledger.of.expected', { expected, how: placeWords(source.from) })
}

export function placeWords(place: LoggedPlace): Message {
  const { run, metric, step, aggregate, over, across } = place
  const words = { run, metric, step: step ?? 0, where: logPlace(place) }
  if (across !== null)
    return say(across.made === 'curve' ? 'ledger.of.curve' : 'ledger.of.across', {
      ...words,
      ...across,
      part: aggregate ?? (step === null ? '' : `step ${step}`),
    })
  const made = aggregate ?? 'mean'
  if (over !== null)
    return over[0] < 0
      ? say('ledger.of.tail', { ...words, made, last: -over[0] })
      : say('ledger.of.window', { ...words, made, first: over[0], last: over[1] })
  return aggregate === null ? say('ledger.of.at', words) : say(`ledger.of.${aggregate}`, words)
}

const logPlace = ({ file, line }: LoggedPlace): string =>
  file === null ? '' : ` · ${file}${line === null ? '' : `:${line}`}`
