import type { Templates } from './language.js'

/** `klens preflight`: what a launch really is, beside the findings, whose sentences stand with their rules. */
export const preflightTexts = {
  'preflight.about': {
    en: 'check a launch script or config; nothing is run',
    zh: '启动前检查脚本或配置是不是想做的实验；不运行任何东西',
  },
  'preflight.launch': {
    en: 'a launch script, a config, or overrides (key=value …); words after a file are added to its command',
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
    en: 'standard error of the score of one evaluation, from its prompts',
    zh: '单次验证得分因样本而来的波动（标准误）',
  },
  'preflight.option.call-simulator': {
    en: 'call the user simulator, even on another machine, and check that it is fit to train on',
    zh: '无论用户模拟器在哪里都去调用，并检查是否适合训练',
  },
  'preflight.unknown': { en: 'unknown', zh: '未知' },
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
  'preflight.program.plain': { en: '{name} · its settings are not known to klens', zh: '{name} · 没有其参数列表' },
  'preflight.others': {
    en: 'the script starts {n} more {n|training|trainings}; the one with the most settings was read (line {line})',
    zh: '脚本还会启动另外 {n} 个训练；这里读的是参数最多的一个（第 {line} 行）',
  },
  'preflight.row.model': { en: 'model', zh: '模型' },
  'preflight.row.algorithm': { en: 'method', zh: '算法' },
  'preflight.row.kl': { en: 'KL', zh: 'KL' },
  'preflight.row.entropy': { en: 'entropy', zh: '熵' },
  'preflight.row.clip': { en: 'clip', zh: 'clip' },
  'preflight.row.rate': { en: 'learning rate', zh: '学习率' },
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
  'preflight.clip.acts': { en: '{range}; {updates} update{updates||s} per step', zh: '{range}；每步更新 {updates} 次' },
  'preflight.clip.inert': { en: '{range}, no effect: one update per step', zh: '{range}，从不起作用：每步只更新一次' },
  'preflight.rate.plain': { en: '{peak}, {schedule}', zh: '{peak}，{schedule}' },
  'preflight.rate.warmup': {
    en: '{peak}, {schedule}, warm-up {warmup} step{warmup||s}',
    zh: '{peak}，{schedule}，warmup {warmup} 步',
  },
  'preflight.rate.at': { en: 'at evaluations: {list}', zh: '各次验证时：{list}' },
  'preflight.batch': {
    en: '{prompts} prompt{prompts||s} × {group} response{group||s}',
    zh: '{prompts} 个问题 × {group} 个答案',
  },
  'preflight.steps': { en: '{perEpoch} per epoch, {total} in all', zh: '每个 epoch {perEpoch} 步，共 {total} 步' },
  'preflight.evaluation': {
    en: 'every {every} step{every||s}, {count} in all, n = {n}',
    zh: '每 {every} 步一次，共 {count} 次，n = {n}',
  },
  'preflight.detectable': {
    en: '{difference} between two checkpoints ({assumption})',
    zh: '两个 checkpoint 相差 {difference}（{assumption}）',
  },
  'preflight.detectable.runs': {
    en: '{difference} between two runs over {count} evaluation{count||s}, on these prompts',
    zh: '两个 run 在 {count} 次验证、同样的样本上相差 {difference}',
  },
  'preflight.checkpoints': {
    en: 'every {every} step{every||s}, {saves} saved, {kept} kept',
    zh: '每 {every} 步保存，共 {saves} 个，保留 {kept} 个',
  },
  'preflight.checkpoints.all': {
    en: 'every {every} step{every||s}, {saves} saved, all kept',
    zh: '每 {every} 步保存，共 {saves} 个，全部保留',
  },
  'preflight.data': {
    en: '{train} row{train||s} to train on, {validation} to validate, {shared} texts in both',
    zh: '训练 {train} 行，验证 {validation} 行，重复文本 {shared} 条',
  },
  'preflight.data.moved': { en: 'taken from {path}', zh: '取自 {path}' },
  'preflight.turns': { en: 'at most {limit}', zh: '最多 {limit}' },
  'preflight.turns.executed': {
    en: 'at most {limit}, of which {executed} are executed',
    zh: '最多 {limit}，其中执行 {executed} 次',
  },
  'preflight.simulator.reachable': { en: '{url} answers', zh: '{url} 有响应' },
  'preflight.simulator.unreachable': { en: '{url} does not answer', zh: '{url} 没有响应' },
  'preflight.simulator.not-asked': { en: '{url}, not called', zh: '{url}，未询问' },
  'preflight.cost': {
    en: 'about {hours} h, {gpuHours} GPU-hours, at {seconds} s per step as in {runs}',
    zh: '约 {hours} 小时、{gpuHours} GPU 时，按 {runs} 的每步 {seconds} 秒估计',
  },
  'preflight.line': { en: 'line {line}', zh: '第 {line} 行' },
  'preflight.clear': {
    en: 'No findings: {passed} check{passed||s} passed, {unchecked} could not run.',
    zh: '未发现问题：{passed} 项检查通过，{unchecked} 项无法检查。',
  },
  'preflight.cannot': { en: 'unknown from here', zh: '此处无法得知' },
} as const satisfies Templates
