import type { Templates } from './language.js'

/** `klens train`. */
export const trainTexts = {
  'train.about': {
    en: 'train a selector policy: RCE warm-up, then GRPO with a KL to the reference',
    zh: '训练选择策略：先 RCE 预热，再做带参考 KL 的 GRPO',
  },
  'train.config': { en: 'a YAML file; none is needed', zh: 'YAML 配置文件，可省略' },
  'train.option.task': { en: 'what to train on (digits)', zh: '训练任务（digits）' },
  'train.option.seed': { en: 'seed of all chance', zh: '随机种子' },
  'train.option.name': { en: 'name of the run', zh: 'run 的名称' },
  'train.option.set': { en: 'a setting, as key=value (repeatable)', zh: '配置项 key=value（可重复给出）' },
  'train.problems': { en: 'the config does not hold: {problems}', zh: '配置有误：{problems}' },
  'train.no-task': {
    en: 'task "{task}" cannot be trained on from the command line yet; digits can',
    zh: '任务“{task}”尚不能从命令行训练，目前支持 digits',
  },
  'train.no-config': { en: 'there is no config file {path}', zh: '没有配置文件 {path}' },
  'train.started': {
    en: 'training {name} ({id}): {queries} queries, {parameters} parameters',
    zh: '开始训练 {name}（{id}）：{queries} 个 query，{parameters} 个参数',
  },
  'train.baseline': {
    en: 'baselines on validation: {baselines}',
    zh: '验证集上的基线：{baselines}',
  },
  'train.done': {
    en: 'done: klens diagnose {id}, klens checkpoints {id}; weights in {folder}',
    zh: '完成：可用 klens diagnose {id}、klens checkpoints {id} 查看；权重在 {folder}',
  },
} as const satisfies Templates
