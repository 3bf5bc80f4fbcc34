import { percentage } from '../../text/numbers.js'
import { sentences } from '../../text/sentences.js'
import type { LaunchRule } from '../rule.js'

const say = sentences({
  'launch.simulator.unreachable': {
    en: 'nothing answers at {url}, where the user simulator should be: every turn would count as a reward of 0',
    zh: '{url} 没有响应，而用户模拟器应在此处：每一轮的 reward 都会记为 0',
  },
  'launch.simulator.model': {
    en: 'the simulator at {url} does not serve {model}',
    zh: '{url} 上的模拟器没有提供模型 {model}',
  },
  'launch.simulator.unfit': {
    en: 'the simulator at {url} is not fit to train on: it recognises {recall} % of the right questions, {falseAlarms} % of foreign ones pass, {failures} calls failed',
    zh: '{url} 上的模拟器不适合训练：正确的提问只识别 {recall}%，无关的提问有 {falseAlarms}% 通过，{failures} 次调用失败',
  },
  'launch.simulator.remedy': {
    en: 'start it first, and check it with klens gym check',
    zh: '先启动它，并用 klens gym check 检查',
  },
  'launch.simulator.cannot.asked': {
    en: 'whether the simulator at {url} answers: it is not on this machine (--call-simulator asks it)',
    zh: '无法得知 {url} 上的模拟器是否可用：它不在本机（--call-simulator 会去询问）',
  },
})

/** A judge that misses a fifth of the right questions, or lets a tenth of foreign ones pass, teaches the wrong thing. */
const LEAST_RECALL = 0.8
const MOST_ALARMS = 0.1

export const simulatorReady: LaunchRule = {
  id: 'simulator',
  severity: 'warning',
  about: {
    en: 'The user simulator that the launch names does not answer, serves another model or, with `--call-simulator`, fails the gym’s check.',
    zh: '启动脚本指定的用户模拟器没有响应、提供的是别的模型，或（加 `--call-simulator` 时）未通过 gym check。',
  },
  check({ simulator }) {
    if (simulator === null) return
    const { url, model, line, state, serves, fitness } = simulator
    if (state === 'not-asked') return { cannotTell: say('launch.simulator.cannot.asked', { url }) }
    const place = { key: 'OPENAI_BASE_URL', line, remedy: say('launch.simulator.remedy', {}) }
    if (state === 'unreachable') return { ...place, message: say('launch.simulator.unreachable', { url }) }
    if (serves === false) return { ...place, message: say('launch.simulator.model', { url, model: model ?? '?' }) }
    if (fitness === null) return
    const { recall, falseAlarms, failures } = fitness
    const isFit = (recall ?? 0) >= LEAST_RECALL && (falseAlarms ?? 1) <= MOST_ALARMS && failures === 0
    if (isFit) return
    const share = (value: number | null): string => (value === null ? '?' : percentage(value))
    const said = { url, recall: share(recall), falseAlarms: share(falseAlarms), failures }
    return { ...place, message: say('launch.simulator.unfit', said) }
  },
}
