import type { Templates } from './language.js'

/** `klens eval`. */
export const evalTexts = {
  'eval.about': {
    en: 'evaluate checkpoints of a selector at several shot counts',
    zh: '在多种 shots 下逐样本评测 checkpoint',
  },
  'eval.checkpoints': {
    en: 'checkpoints: RUN@EPOCH, or a file (safetensors, .pt)',
    zh: 'checkpoint：RUN@轮次，或文件（safetensors、.pt）',
  },
  'eval.option.task': {
    en: 'digits, lever or llm (default: what the checkpoint was trained on)',
    zh: '任务：digits、lever 或 llm（默认与 checkpoint 训练时相同）',
  },
  'eval.option.config': { en: 'a YAML file with settings of the task', zh: '任务设置的 YAML 文件' },
  'eval.option.set': {
    en: 'a setting, such as data.train=FILE (repeatable)',
    zh: '配置项，如 data.train=文件（可重复给出）',
  },
  'eval.option.shots': { en: 'numbers of examples to choose, such as 1,2,3,4', zh: '选取的示例个数，如 1,2,3,4' },
  'eval.option.samples': { en: 'how many queries (default: all of the split)', zh: '评测样本数（默认整个划分）' },
  'eval.option.split': {
    en: 'train, val or test (default: test, or val where the data has no test queries)',
    zh: '划分：train、val 或 test（默认 test；数据没有 test 时用 val）',
  },
  'eval.option.baselines': {
    en: 'also score no examples, random ones and the nearest (asks the endpoint)',
    zh: '同时评测零样本、随机与最近邻示例（会请求接口）',
  },
  'eval.option.choices': { en: 'write every choice to this JSON file', zh: '把全部选择写入该 JSON 文件' },
  'eval.option.load': {
    en: "whole, or original: leave random what Lever-Plus's inference would not load",
    zh: 'whole（默认），或 original：Lever-Plus 推理时不会加载的部分保持随机',
  },
  'eval.bad-load': {
    en: '--load is "{value}"; it must be whole or original',
    zh: '--load 是“{value}”，只能是 whole 或 original',
  },
  'eval.baseline.zero-shot': { en: 'no examples', zh: '零样本' },
  'eval.baseline.random': { en: 'random examples', zh: '随机示例' },
  'eval.baseline.nearest': { en: 'nearest examples', zh: '最近邻示例' },
  'eval.baseline.best': { en: 'best known choice', zh: '已知最佳选择' },
  'eval.baseline.logged': { en: 'all logged choices', zh: '日志中全部选择' },
  'eval.bad-shots': { en: '--shots is "{value}"; it must look like 1,2,4', zh: '--shots 是“{value}”，应写成 1,2,4' },
  'eval.bad-split': {
    en: '--split is "{value}"; it must be train, val or test',
    zh: '--split 是“{value}”，只能是 train、val 或 test',
  },
  'eval.no-selector': { en: '{path} contains no selector policy', zh: '{path} 中没有选择策略' },
  'eval.width': {
    en: '{path} takes embeddings of width {width}; those of the task have {has}: name the embeddings it was trained on',
    zh: '{path} 要求 embedding 维度为 {width}，任务的是 {has}；请指定训练时所用的 embedding',
  },
  'eval.no-task': {
    en: '{path} does not say what it was trained on; name the task and its data, such as --task lever --set data.train=rl_data.json --set data.query_embeddings=query_embeddings.pt',
    zh: '{path} 没有说明训练任务；请指定任务与数据，如 --task lever --set data.train=rl_data.json --set data.query_embeddings=query_embeddings.pt',
  },
  'eval.empty-split': {
    en: 'task {task} has no queries in the split "{split}"; name another with --split',
    zh: '任务 {task} 的“{split}”划分中没有样本；请用 --split 指定其他划分',
  },
  'eval.nothing-scored': {
    en: 'none of {count} {count|choice|choices} could be scored: {reason}',
    zh: '{count} 个选择都未能得到评分：{reason}',
  },
  'eval.not-kept': {
    en: 'the scores were not saved: run {run} is being written by process {pid} on {host}; evaluate again when that is done',
    zh: 'run {run} 正由 {host} 上的进程 {pid} 写入，评测结果未保存；待其结束后再评测一次即可',
  },
  'eval.scope': {
    en: '{task}, split {split}, {n} {n|query|queries}; greedy choices',
    zh: '{task}，{split} 划分，{n} 个样本；选择不含随机性',
  },
  'eval.missing': {
    en: 'In brackets: how many could be scored. The others are left out: {reason}',
    zh: '括号内为得到评分的样本数，其余不计入：{reason}',
  },
  'eval.identical': {
    en: '{first} and {second}: identical selections, in the same order, for all {n} quer{n|y|ies} at {shots} shot{shots||s}.',
    zh: '{first} 与 {second} 在 {shots} shot 下对全部 {n} 个样本的选择完全相同，顺序也相同。',
  },
  'eval.same-weights': {
    en: 'Their weights are identical.',
    zh: '两者的权重完全相同。',
  },
  'eval.agreement': {
    en: '{first} and {second}, {shots} {shots|shot|shots}: identical selections on {percent} % of {n} quer{n|y|ies}, {overlap} % of the examples shared',
    zh: '{first} 与 {second}，{shots} shot：{n} 个样本中 {percent}% 的选择完全相同，示例重合 {overlap}%',
  },
} as const satisfies Templates
