import type {
  ProgramsAnswer,
  StudyAdoptAnswer,
  StudyDropAnswer,
  StudyRunAnswer,
  StudySearchAnswer,
  StudyStopAnswer,
} from '../../../logs/model/study/answers.js'
import type { Drop } from '../../../logs/model/study/terms.js'
import { count, figure } from '../../../text/numbers.js'
import { sentences } from '../../../text/sentences.js'
import { shortHash } from '../../../text/short-hash.js'
import { type Block, list, note, paragraph, section, strong, table, toned } from '../blocks.js'
import { type Speaker, saying } from '../speaker.js'
import { armVerdictBlocks, costText, designBlocks, dropText, statesText, stateText, stoppedText } from './words.js'

/** What bringing a study forward came to: trials, verdicts, programs, what was dropped, searched, adopted or stopped. */

const words = sentences({
  'study.print.plan': { en: '{trials} {n|trial|trials} planned', zh: '计划 {trials} 个试验' },
  'study.print.evaluated': { en: '{count} {n|evaluation|evaluations} made', zh: '完成 {count} 项评估' },
  'study.print.left': {
    en: '{count} {n|evaluation lacks|evaluations lack} scores of some samples; klens study status says why, klens study eval tries again',
    zh: '{count} 项评估尚未取得全部样本的分数；klens study status 说明原因，klens study eval 会再试',
  },
  'study.print.dropped-so': {
    en: 'dropped {evidence}; klens study keep FILE {arm} undoes it',
    zh: '放弃 {evidence}；用 klens study keep FILE {arm} 可撤回',
  },
  'study.print.proposed': { en: 'the rule would drop now:', zh: '按规则现在会放弃：' },
  'study.print.kept': { en: 'never dropped by the rule: {arms}', zh: '规则不会放弃：{arms}' },
  'study.print.nothing-dropped': { en: 'nothing is dropped', zh: '没有放弃任何实验组' },
  'study.print.no-house': {
    en: 'no two settings have two finished runs each yet: from half of the steps on, klens study run finishes the baseline and the leading arm first and drops by how much those still improved; until then it drops only dead arms',
    zh: '还没有两种设置各有两个已完成的 run：从一半步数起，klens study run 会先跑完基线组和领先组，再按它们此后的提升来放弃；在此之前只放弃已失效的实验组',
  },
  'study.program.commands': { en: 'programs that would be started:', zh: '将启动的程序：' },
  'study.program.beside': {
    en: 'services and evaluations of the trials:',
    zh: '试验所用的服务与评估：',
  },
  'study.program.executor': { en: 'for the executor, by this file:', zh: '此文件为执行器指定的内容：' },
  'study.program.arm': { en: '{arm} (seed {seed})', zh: '{arm}（种子 {seed}）' },
  'study.program.common': { en: 'all arms:', zh: '所有实验组：' },
  'study.program.folder': { en: 'in {folder}', zh: '于 {folder}' },
  'study.program.clean': { en: 'preflight finds no problems', zh: '启动前检查没有发现问题' },
  'study.program.unknown': {
    en: 'preflight does not know this program; only what varies was checked',
    zh: '启动前检查不认识此程序；只检查了变化的设置',
  },
  'study.program.refused': { en: 'refused: {reason}', zh: '拒绝：{reason}' },
  'study.program.trust': {
    en: 'to approve these commands, once: klens study run {file} --trust {hash}',
    zh: '确认这些命令（一次即可）：klens study run {file} --trust {hash}',
  },
  'study.program.trusted': { en: 'these commands were approved here', zh: '这些命令已在此确认过' },
  'study.search.head': { en: 'setting', zh: '设置' },
  'study.search.scores': { en: 'scores', zh: '分数' },
  'study.search.believed': { en: 'estimated', zh: '估计水平' },
  'study.search.set': { en: 'tied with the best', zh: '与最优并列' },
  'study.search.take': {
    en: 'use {arm}; {n} of {all} setting{all||s} are tied with the best',
    zh: '采用 {arm}；{all} 个设置中有 {n} 个与最优并列',
  },
  'study.adopt.done': { en: '{trial}: run {run}', zh: '{trial}：run {run}' },
  'study.adopt.taken-back': { en: '{trial}: undone', zh: '{trial}：已撤回' },
  'study.adopt.difference': {
    en: '{key} is {run}, {study} in the study: suspicious until klens study acknowledge accepts it',
    zh: '{key} 为 {run}，研究为 {study}：在用 klens study acknowledge 担保之前视为可疑',
  },
  'study.adopt.untold': { en: 'its config does not have {keys}', zh: '其配置没有说明 {keys}' },
  'study.stop.none': { en: 'no trial of this study is at an executor', zh: '此研究没有任何试验在执行器上' },
  'study.stop.stopped': { en: 'stopped', zh: '已停止' },
  'study.stop.done': { en: 'had ended well', zh: '已正常结束' },
  'study.stop.failed': { en: 'had failed', zh: '已失败' },
  'study.stop.lost': { en: 'had not begun', zh: '尚未开始' },
  'study.stop.evicted': { en: 'had been interrupted', zh: '已被中断' },
  'study.stop.waiting': { en: 'still waits, although it was told to end', zh: '已要求结束，但仍在排队' },
  'study.stop.running': { en: 'still runs, although it was told to end', zh: '已要求结束，但仍在运行' },
  'study.stop.elsewhere': {
    en: 'is at another executor: give --executor',
    zh: '在另一个执行器上：请用 --executor 指定',
  },
})

export function runBlocks(answer: StudyRunAnswer, speaker: Speaker): readonly Block[] {
  const { dryRun, trials, arms, design, stopped, cost } = answer
  const said = { trials: count(trials.length), n: trials.length }
  const rows = trials.map(({ trial, state, id, run }) => [trial, shortHash(id), stateText(state, speaker), run ?? ''])
  const fixed = arms.flatMap(({ arm, byConstruction }) => byConstruction.map(each => [`${arm}: ${each}`]))
  const states = trials.map(({ state }) => state)
  return [
    ...(dryRun ? [section(speaker.say(words('study.print.plan', said)), table([], rows))] : []),
    ...(dryRun && fixed.length > 0 ? [list(fixed)] : []),
    ...designBlocks(design, speaker),
    paragraph(statesText(states, speaker)),
    ...evaluatedBlocks(answer, speaker),
    ...(stopped === null ? [] : [note('info', stoppedText(stopped, speaker))]),
    ...armVerdictBlocks(answer, speaker),
    paragraph(costText(cost, speaker)),
  ]
}

/** Of a study without evaluations nothing is said. */
export function evaluatedBlocks(
  { evaluated, left }: { readonly evaluated: number; readonly left: number },
  speaker: Speaker,
): readonly Block[] {
  const say = saying(speaker, words)
  return [
    ...(evaluated === 0 ? [] : [paragraph(say('study.print.evaluated', { n: evaluated, count: count(evaluated) }))]),
    ...(left === 0 ? [] : [paragraph(toned(say('study.print.left', { n: left, count: count(left) }), 'warning'))]),
  ]
}

export function droppedText(drop: Drop, speaker: Speaker): string {
  const { arm, evidence } = drop
  const why = dropText(drop, speaker)
  return evidence === null ? why : speaker.say(words('study.print.dropped-so', { evidence: why, arm }))
}

export function dropBlocks({ drops, proposed, kept, hasHouse }: StudyDropAnswer, speaker: Speaker): readonly Block[] {
  const say = saying(speaker, words)
  const listed = proposed.map(drop => paragraph(dropText(drop, speaker)))
  return [
    ...(drops.length === 0
      ? [paragraph(say('study.print.nothing-dropped', {}))]
      : drops.map(drop => paragraph(droppedText(drop, speaker)))),
    ...(listed.length === 0 ? [] : [section(say('study.print.proposed', {}), ...listed)]),
    ...(kept.length === 0 ? [] : [paragraph(say('study.print.kept', { arms: kept.join(', ') }))]),
    ...(hasHouse ? [] : [paragraph(toned(say('study.print.no-house', {}), 'quiet'))]),
  ]
}

/** `file`: the study's, for the advice; null: it is asked for right here. */
export function programBlocks(
  { hash, trusted, executor, beside, arms }: ProgramsAnswer,
  speaker: Speaker,
  file: string | null,
): readonly Block[] {
  const say = saying(speaker, words)
  const lineOf = ({ rule, severity, message }: ProgramsAnswer['arms'][number]['findings'][number]): string =>
    `${severity} ${rule}: ${message}`
  const [first = [], ...others] = arms.map(({ findings }) => findings.map(lineOf))
  const common = others.length === 0 ? [] : first.filter(line => others.every(lines => lines.includes(line)))
  const asParagraphs = (lines: readonly string[]): readonly Block[] => lines.map(line => paragraph(line))
  return [
    ...(executor.length === 0 ? [] : [section(say('study.program.executor', {}), ...commands(executor))]),
    ...(beside.length === 0 ? [] : [section(say('study.program.beside', {}), ...commands(beside))]),
    ...(arms.length === 0 ? [] : [paragraph(say('study.program.commands', {}))]),
    ...arms.map(({ arm, seed, command, folder, examined, findings, refused }) => {
      const unknown = examined ? [] : [say('study.program.unknown', {})]
      const clean = examined && findings.length === 0 ? [say('study.program.clean', {})] : []
      const own = findings.map(lineOf).filter(line => !common.includes(line))
      return section(
        say('study.program.arm', { arm, seed }),
        ...commands([command]),
        paragraph(toned(say('study.program.folder', { folder }), 'quiet')),
        ...asParagraphs([...unknown, ...clean, ...own]),
        ...refused.map(reason => paragraph(toned(say('study.program.refused', { reason }), 'bad'))),
      )
    }),
    ...(common.length === 0 ? [] : [section(say('study.program.common', {}), ...asParagraphs(common))]),
    ...(trusted ? [paragraph(say('study.program.trusted', {}))] : []),
    ...(trusted || file === null ? [] : [paragraph(say('study.program.trust', { file, hash: shortHash(hash) }))]),
  ]
}

function commands(lines: readonly string[]): readonly Block[] {
  return lines.map(text => ({ kind: 'command', text }))
}

export function searchBlocks(
  { design, points, take, stopped, cost }: StudySearchAnswer,
  speaker: Speaker,
): readonly Block[] {
  const say = saying(speaker, words)
  const best = points.toSorted((a, b) => Number(b.arm === take) - Number(a.arm === take))
  const header = [say('study.search.head', {}), say('study.search.scores', {}), say('study.search.believed', {}), '']
  const rows = best.map(({ arm, values, believed, spread, isNotSeparable }) => [
    arm,
    values.map(value => figure(value, 4)).join(' '),
    `${figure(believed, 4)} ± ${figure(spread, 2)}`,
    isNotSeparable ? say('study.search.set', {}) : '',
  ])
  const n = points.filter(({ isNotSeparable }) => isNotSeparable).length
  const taken = { n: count(n), all: count(points.length) }
  return [
    ...designBlocks(design, speaker),
    table(header, rows),
    ...(stopped === null ? [] : [note('info', stoppedText(stopped, speaker))]),
    ...(take === null ? [] : [paragraph(strong(say('study.search.take', { arm: take, ...taken })))]),
    paragraph(costText(cost, speaker)),
  ]
}

const MOST_NAMED = 12

export function adoptBlocks({ adopted }: StudyAdoptAnswer, speaker: Speaker): readonly Block[] {
  const say = saying(speaker, words)
  return adopted.map(({ trial, run, differences, untold }) => {
    const title = run === null ? say('study.adopt.taken-back', { trial }) : say('study.adopt.done', { trial, run })
    const keys = untold.length > MOST_NAMED ? [...untold.slice(0, MOST_NAMED), '…'] : untold
    return section(
      title,
      ...differences.map(({ key, study, run: own }) => {
        const values = { study: JSON.stringify(study), run: JSON.stringify(own) }
        return paragraph(toned(say('study.adopt.difference', { key, ...values }), 'warning'))
      }),
      ...(keys.length === 0 ? [] : [paragraph(toned(say('study.adopt.untold', { keys: keys.join(', ') }), 'quiet'))]),
    )
  })
}

export function stopBlocks({ jobs }: StudyStopAnswer, speaker: Speaker): readonly Block[] {
  if (jobs.length === 0) return [paragraph(speaker.say(words('study.stop.none', {})))]
  return [
    table(
      [],
      jobs.map(({ trial, place, handle, state }) => [
        trial,
        speaker.say(words(`study.stop.${state}`, {})),
        place,
        handle,
      ]),
    ),
  ]
}
