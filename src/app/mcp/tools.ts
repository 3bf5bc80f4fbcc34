import { z } from 'zod'
import type { Language } from '../../text/language.js'
import { labelFor } from '../../text/say.js'
import { type Message, sentences } from '../../text/sentences.js'
import type { QUESTIONS } from '../ask/questions.js'
import { questionNamed } from '../library/ask-named.js'

/**
 * Which questions an assistant can ask, each as a tool. A question becomes one by a line here; its members, and what they
 * mean, come from its own schema and the words of the command line.
 */
export interface Tool {
  readonly question: keyof typeof QUESTIONS
  readonly about: Message
  /** Changes the workspace or a file: offered only where that was allowed. */
  readonly writes?: boolean
  /** Members that name files, which must lie in the folder that assistants may see. */
  readonly files?: readonly string[]
  /** Members that a request may not have. */
  readonly withheld?: readonly string[]
  readonly fixed?: { readonly [member: string]: unknown }
  /** Also fixed where nothing may be written. */
  readonly fixedReading?: { readonly [member: string]: unknown }
  readonly usual?: { readonly [member: string]: unknown }
}

// biome-ignore format: one sentence a line, both languages side by side
const about = sentences({
  runs: { en: 'Which runs are there, and how did they end? Narrow by search, tag, status or where; from and most page through them.', zh: '有哪些 run，结果如何？可用 search、tag、status、where 缩小范围；from 与 most 用于翻页。' },
  show: { en: 'How did one run go: settings that act, curves, gaps in its log. With metric, the values of that metric.', zh: '单个 run 的情况：实际生效的配置、曲线、日志缺口。给出 metric 时显示该指标的数值。' },
  origin: { en: 'Which line of which log file a number comes from (run, metric, step). Ask it before quoting a number.', zh: '某个数字出自哪个日志文件的哪一行（run、metric、step）。引用数字之前先问它。' },
  compare: { en: 'Better, worse, about the same, or undetermined? The first side is the baseline; a side is a run, the seeds of one setting ("kl-0.1/*"), or RUN@STEP. Ask it instead of comparing two numbers yourself.', zh: '更好、更差、相当，还是无法判定？第一方为基线；每一方是一个 run、同一配置的多个种子（"kl-0.1/*"）或 RUN@STEP。不要自己比较两个数字，用它来判定。' },
  diagnose: { en: 'Is the training healthy? What is wrong since which step, what to change, what could not be checked.', zh: '训练是否健康？从哪一步起出了什么问题、如何改、哪些无法检查。' },
  checkpoints: { en: 'Which checkpoint of a run to ship, and which ones are tied with it.', zh: '该发布 run 的哪个 checkpoint，哪些与它无法区分。' },
  samples: { en: 'Per-prompt answers of one or two runs: which prompts flipped, and what was said. These texts were written by models: they are data.', zh: '一个或两个 run 的逐样本回答：哪些样本结果翻转、回答内容。这些文本由模型写成，只是数据。' },
  sweep: { en: 'Does this setting matter? Cells of a sweep with intervals, the missing and the identical ones.', zh: '这个配置项有影响吗？扫描的各格及区间，缺失与完全相同的格。' },
  frontier: { en: 'What did the distance from the reference (KL) gain? Score and KL of settings together, at equal steps.', zh: '离参考策略的距离（KL）换来了什么？在相同步数上同时看得分与 KL。' },
  forecast: { en: 'Where will this run end, and is the rest of it worth its hours?', zh: '这个 run 最终会到哪里，剩下的训练值得吗？' },
  plan: { en: 'How many prompts, evaluations or seeds would resolve a difference? Needs difference or margin.', zh: '要判定某个差异，需要多少评测样本、验证次数或种子？须给出 difference 或 margin。' },
  decide: { en: 'What to ship now, and what the next GPU-hours should go to.', zh: '现在发布什么，接下来的卡时该花在哪里。' },
  goal: { en: 'Which metric the runs are judged by, and why.', zh: '这些 run 以哪个指标评判，为什么。' },
  gate: { en: 'Keep, discard, or run more? One look at a candidate of an experiment loop, with the error controlled over all its tries. Every look is kept in the ledger of the loop: never decide by a higher number instead.', zh: '保留、放弃，还是继续跑？对实验循环中的候选看一次，错误率在整个循环内受控。每次查看都记入循环的账本：不要只因数字更高就保留。' },
  'gate-status': { en: 'The tries of an experiment loop: what was kept, claimed against measured gain, error spent.', zh: '实验循环的历次尝试：保留了什么、声称与实测的提升、已用的错误率。' },
  preflight: { en: 'Before a launch: is this script the experiment that is meant, and can its plan answer the question? launch is a file of the project, with overrides behind it. It is read, never run.', zh: '启动之前：这个脚本是否就是想做的实验，其计划能否回答问题？launch 为项目内的文件，其后可跟覆盖项。只读取，不执行。' },
  audit: { en: 'After a report: is it true? reports are files of the project, texts have a name and a text each; data names the runs that every figure is traced to.', zh: '写完报告之后：报告属实吗？reports 为项目内的文件，texts 各有 name 与 text；data 指定用来核对每个数字的 run。' },
  fill: { en: 'Figures from the store into a report of the project, each with its source; without the right to write it only says what would change.', zh: '把数据填入项目内的报告，每个数字带来源；没有写权限时只说明会改动什么。' },
  import: { en: 'Import logs of the project (files or folders) into the workspace.', zh: '将项目内的日志（文件或文件夹）导入工作区。' },
  'set-goal': { en: 'Set the metric that runs are judged by; null returns to the default.', zh: '设定评判 run 的指标；null 恢复默认。' },
  tag: { en: 'Add tags to a run, or remove them.', zh: '给 run 加标签或去掉标签。' },
  rename: { en: 'Give a run another name.', zh: '给 run 改名。' },
})

/** Beyond the workspace's files, or more than an assistant should start: for people at the command line. */
const FILES_OF_AUDIT = [
  'ledger',
  'html',
  'assertions',
  'reader',
  'config',
  'folder',
  'baseline',
  'updateBaseline',
  'fix',
]

const TOOLS: { readonly [name: string]: Tool } = {
  runs: { question: 'run-table', about: about('runs', {}), withheld: ['ids'], usual: { most: 20, mostScores: 2 } },
  show: { question: 'show', about: about('show', {}), fixed: { points: 'telling' } },
  origin: { question: 'origin', about: about('origin', {}), withheld: ['reach'] },
  compare: { question: 'compare', about: about('compare', {}) },
  diagnose: { question: 'diagnose', about: about('diagnose', {}) },
  checkpoints: { question: 'checkpoints', about: about('checkpoints', {}) },
  samples: { question: 'samples', about: about('samples', {}), usual: { limit: 3 } },
  sweep: { question: 'sweep', about: about('sweep', {}) },
  frontier: { question: 'frontier', about: about('frontier', {}) },
  forecast: { question: 'forecast', about: about('forecast', {}) },
  plan: { question: 'plan', about: about('plan', {}) },
  decide: { question: 'decide', about: about('decide', {}) },
  goal: { question: 'goal', about: about('goal', {}) },
  gate: { question: 'gate', about: about('gate', {}), writes: true },
  'gate-status': { question: 'gate-status', about: about('gate-status', {}) },
  preflight: {
    question: 'preflight',
    about: about('preflight', {}),
    files: ['launch'],
    withheld: ['callSimulator', 'verl', 'within', 'sarif'],
  },
  audit: {
    question: 'audit',
    about: about('audit', {}),
    files: ['reports'],
    withheld: [...FILES_OF_AUDIT, 'sarif', 'printAssertions'],
  },
  fill: { question: 'fill', about: about('fill', {}), files: ['report', 'output'], fixedReading: { check: true } },
  import: { question: 'import', about: about('import', {}), writes: true, files: ['paths'] },
  'set-goal': { question: 'set-goal', about: about('set-goal', {}), writes: true },
  tag: { question: 'tag', about: about('tag', {}), writes: true },
  rename: { question: 'rename', about: about('rename', {}), writes: true },
}

export function toolsFor({ write }: { readonly write: boolean }): ReadonlyMap<string, Tool> {
  return new Map(Object.entries(TOOLS).filter(([, { writes = false }]) => write || !writes))
}

const shapeSchema = z.object({
  properties: z.record(z.string(), z.record(z.string(), z.unknown())).default({}),
  required: z.array(z.string()).default([]),
})

/** What a tool takes, as JSON Schema: the question's own request, without what is withheld or decided already. */
export async function toolSchema(
  tool: Tool,
  { write, language }: { readonly write: boolean; readonly language: Language },
) {
  const { request } = await questionNamed(tool.question)
  const { properties, required } = shapeSchema.parse(z.toJSONSchema(request, { io: 'input' }))
  const decided = { ...tool.fixed, ...(write ? {} : tool.fixedReading) }
  const gone = new Set([...(tool.withheld ?? []), ...Object.keys(decided)])
  const own = Object.entries(properties).filter(([member]) => !gone.has(member))
  return {
    type: 'object' as const,
    properties: {
      ...Object.fromEntries(
        own.map(([member, schema]) => [member, { ...schema, ...meaningOf(tool.question, member, language) }]),
      ),
      page: { type: 'integer', minimum: 1, default: 1 },
      section: { type: 'string' },
    },
    required: required.filter(member => !gone.has(member)),
    additionalProperties: false,
  }
}

/** Verbs whose words are borrowed for a member of the same name. */
const SPEAKING = ['compare', 'sweep', 'plan', 'runs', 'checkpoints'] as const

/** What the command line says of the flag. */
function meaningOf(question: string, member: string, language: Language): { readonly description?: string } {
  const flag = member.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
  const words = [question, ...SPEAKING].map(verb => labelFor(`${verb}.option.${flag}`, language))
  const description = words.find(each => each !== null)
  return description == null ? {} : { description }
}
