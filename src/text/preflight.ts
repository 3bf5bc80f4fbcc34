import type { Templates } from './language.js'

/** `klens preflight`: what a launch really is, beside the findings, whose sentences stand with their rules. */
export const preflightTexts = {
  'preflight.about': {
    en: 'is this launch the experiment I mean, and can its plan answer the question? nothing is run',
    zh: '这个启动脚本是我想要的实验吗？它的计划能回答问题吗？（不执行任何内容）',
  },
  'preflight.launch': {
    en: 'a launch script, a config, or overrides (key=value …); words behind a file are added to its command',
    zh: '启动脚本、配置，或参数（key=value …）；文件之后的参数会加到命令末尾',
  },
  'preflight.option.verl': {
    en: 'check against this verl: a version that klens knows (0.9.1), or a path to an installed one',
    zh: '按此 verl 检查：内置的版本（0.9.1），或已安装的路径',
  },
  'preflight.option.until': {
    en: 'only evaluations up to this step will be compared',
    zh: '只比较到该 step 为止的验证',
  },
  'preflight.option.sd': {
    en: 'how much the score of one evaluation scatters by its prompts (its standard error)',
    zh: '单次验证得分因样本而来的波动（标准误）',
  },
  'preflight.option.call-simulator': {
    en: 'call the user simulator wherever it is, and check that it is fit to train on',
    zh: '无论用户模拟器在哪里都去调用，并检查是否适合训练',
  },
  'preflight.unknown': { en: 'not known', zh: '未知' },
  'preflight.none': { en: 'none', zh: '无' },
  'preflight.program': { en: '{name} · settings of {schema}', zh: '{name} · 按 {schema} 的参数检查' },
  'preflight.program.found': {
    en: '{name} · settings of {schema}, as installed',
    zh: '{name} · 按已安装的 {schema} 检查',
  },
  'preflight.program.fits': {
    en: '{name} · fits {schema} best',
    zh: '{name} · 与 {schema} 最相符',
  },
  'preflight.program.plain': { en: '{name} · no list of its settings is known', zh: '{name} · 没有其参数列表' },
  'preflight.others': {
    en: 'the script starts {n} more {n|training|trainings}; the one with the most settings was read (line {line})',
    zh: '脚本还会启动另外 {n} 个训练；这里读的是参数最多的一个（第 {line} 行）',
  },
  'preflight.row.model': { en: 'model', zh: '模型' },
  'preflight.row.algorithm': { en: 'method', zh: '算法' },
  'preflight.row.kl': { en: 'KL', zh: 'KL' },
  'preflight.row.entropy': { en: 'entropy', zh: '熵' },
  'preflight.row.clip': { en: 'clip', zh: 'clip' },
  'preflight.row.rate': { en: 'rate', zh: '学习率' },
  'preflight.row.batch': { en: 'batch', zh: 'batch' },
  'preflight.row.steps': { en: 'steps', zh: '步数' },
  'preflight.row.evaluation': { en: 'evaluation', zh: '验证' },
  'preflight.row.detectable': { en: 'detectable', zh: '可分辨' },
  'preflight.row.checkpoints': { en: 'checkpoints', zh: 'checkpoint' },
  'preflight.row.seed': { en: 'seed', zh: '种子' },
  'preflight.row.data': { en: 'data', zh: '数据' },
  'preflight.row.turns': { en: 'turns', zh: '轮数' },
  'preflight.row.simulator': { en: 'simulator', zh: '模拟器' },
  'preflight.row.cost': { en: 'cost', zh: '成本' },
  'preflight.kl.none': { en: 'none; no reference policy is loaded', zh: '无；不加载参考策略' },
  'preflight.kl.loss': {
    en: '{coefficient} in the loss, by {estimator}; reference loaded',
    zh: 'loss 中，系数 {coefficient}，{estimator}；加载参考策略',
  },
  'preflight.kl.reward': {
    en: '{coefficient} in the reward, by {estimator}; reference loaded',
    zh: 'reward 中，系数 {coefficient}，{estimator}；加载参考策略',
  },
  'preflight.kl.both': {
    en: 'in the loss and in the reward; reference loaded',
    zh: 'loss 和 reward 中都有；加载参考策略',
  },
  'preflight.clip.acts': { en: '{range}; {updates} updates per step', zh: '{range}；每步更新 {updates} 次' },
  'preflight.clip.inert': { en: '{range}, never acts: one update per step', zh: '{range}，从不起作用：每步只更新一次' },
  'preflight.rate.plain': { en: '{peak}, {schedule}', zh: '{peak}，{schedule}' },
  'preflight.rate.warmup': {
    en: '{peak}, {schedule}, warm-up {warmup} steps',
    zh: '{peak}，{schedule}，warmup {warmup} 步',
  },
  'preflight.rate.at': { en: 'at evaluations: {list}', zh: '各次验证时：{list}' },
  'preflight.batch': { en: '{prompts} prompts × {group} answers', zh: '{prompts} 个问题 × {group} 个答案' },
  'preflight.steps': { en: '{perEpoch} per epoch, {total} in all', zh: '每个 epoch {perEpoch} 步，共 {total} 步' },
  'preflight.evaluation': {
    en: 'every {every} steps, {count} in all, n = {n}',
    zh: '每 {every} 步一次，共 {count} 次，n = {n}',
  },
  'preflight.detectable': {
    en: '{difference} between two checkpoints ({assumption})',
    zh: '两个 checkpoint 相差 {difference}（{assumption}）',
  },
  'preflight.detectable.runs': {
    en: '{difference} between two runs over {count} evaluations, on these prompts',
    zh: '两个 run 在 {count} 次验证、同样的样本上相差 {difference}',
  },
  'preflight.checkpoints': {
    en: 'every {every} steps, {saves} saved, {kept} kept',
    zh: '每 {every} 步保存，共 {saves} 个，保留 {kept} 个',
  },
  'preflight.checkpoints.all': {
    en: 'every {every} steps, {saves} saved, all kept',
    zh: '每 {every} 步保存，共 {saves} 个，全部保留',
  },
  'preflight.data': {
    en: '{train} rows to train on, {validation} to validate, {shared} texts in both',
    zh: '训练 {train} 行，验证 {validation} 行，重复文本 {shared} 条',
  },
  'preflight.data.moved': { en: 'taken from {path}', zh: '取自 {path}' },
  'preflight.turns': { en: 'at most {limit}', zh: '最多 {limit}' },
  'preflight.turns.executed': {
    en: 'at most {limit}, of which {executed} are carried out',
    zh: '最多 {limit}，其中执行 {executed} 次',
  },
  'preflight.simulator.reachable': { en: '{url} answers', zh: '{url} 有响应' },
  'preflight.simulator.unreachable': { en: '{url} does not answer', zh: '{url} 没有响应' },
  'preflight.simulator.not-asked': { en: '{url}, not asked', zh: '{url}，未询问' },
  'preflight.cost': {
    en: 'about {hours} h, {gpuHours} GPU-hours, by {seconds} s a step as in {runs}',
    zh: '约 {hours} 小时、{gpuHours} GPU 时，按 {runs} 的每步 {seconds} 秒估计',
  },
  'preflight.line': { en: 'line {line}', zh: '第 {line} 行' },
  'preflight.clear': {
    en: 'No finding: {passed} checks passed, {unchecked} could not be made.',
    zh: '未发现问题：{passed} 项检查通过，{unchecked} 项无法检查。',
  },
  'preflight.cannot': { en: 'cannot be known from here', zh: '此处无法得知' },
} as const satisfies Templates
