import type { Templates } from './language.js'

/** `klens train`. */
export const trainTexts = {
  'train.about': {
    en: 'train a small policy by GRPO with a KL to a reference',
    zh: '用 GRPO 训练小策略，KL 约束到参考策略',
  },
  'train.config': { en: 'a YAML file; none is needed', zh: 'YAML 配置文件，可省略' },
  'train.option.task': {
    en: 'what to train on: digits, lever, llm or intention',
    zh: '训练任务：digits、lever、llm 或 intention',
  },
  'train.option.seed': { en: 'random seed; several as 1,2,3', zh: '随机种子；多个写作 1,2,3' },
  'train.option.name': {
    en: 'name of the run; {placeholder} in it is replaced by a setting',
    zh: 'run 的名称；其中的 {placeholder} 代表该配置项的值',
  },
  'train.option.set': { en: 'a setting, as key=value (repeatable)', zh: '配置项 key=value（可重复给出）' },
  'train.option.over': {
    en: 'train once for each value: key=0,0.1,1 (repeatable; all combinations)',
    zh: '对每个取值各训练一次：key=0,0.1,1（可重复给出，训练全部组合）',
  },
  'train.option.workers': {
    en: 'parallel trainings, or threads of a single one (default: all cores)',
    zh: '同时进行的训练数；只有一个训练时为其线程数（默认：全部 CPU 核）',
  },
  'train.option.fresh': {
    en: 'start again, even if it was interrupted or finished',
    zh: '重新训练，不理会中断或已完成的 run',
  },
  'train.option.once': {
    en: 'skip it if it is finished, and wait if another process trains it',
    zh: '已完成则不再训练；若另一进程正在训练则等待',
  },
  'train.option.from': { en: 'start from the weights of a checkpoint', zh: '从某个 checkpoint 的权重开始' },
  'train.missing': {
    en: '{missing} of {total} choice{total||s} could not be scored in this epoch: they are left out, not counted as 0',
    zh: '本轮 {total} 个选择中有 {missing} 个未能评分：已略去，不按 0 计',
  },
  'train.option.out': {
    en: 'also write every epoch as Lever-Plus does: rce_epochN.pt, grpo_epochN.pt, _v2format.ckpt, metrics.json; and every update: _updates.jsonl',
    zh: '同时按 Lever-Plus 的格式写出每个 epoch：rce_epochN.pt、grpo_epochN.pt、_v2format.ckpt、metrics.json；每次更新另见 _updates.jsonl',
  },
  'train.option.resume': { en: 'continue this run', zh: '继续训练该 run' },
  'train.option.allow-changes': {
    en: 'with --resume: continue although settings or data differ',
    zh: '与 --resume 同用：配置或数据不同也继续',
  },
  'train.problems': { en: 'the config is invalid: {problems}', zh: '配置有误：{problems}' },
  'train.no-config': { en: 'there is no config file {path}', zh: '没有配置文件 {path}' },
  'train.started': {
    en: 'training {name} ({id}): {queries} quer{queries|y|ies}, {parameters} parameter{parameters||s}',
    zh: '开始训练 {name}（{id}）：{queries} 个 query，{parameters} 个参数',
  },
  'train.resumed': {
    en: 'resuming {name} ({id}) after epoch {epoch}',
    zh: '继续训练 {name}（{id}），已完成到 epoch {epoch}',
  },
  'train.baseline': {
    en: 'baselines on validation: {baselines}',
    zh: '验证集上的基线：{baselines}',
  },
  'train.progress': {
    en: 'epoch {epoch}: {done} of {total} quer{total|y|ies}, {rate} a second',
    zh: 'epoch {epoch}：{done}/{total} 个 query，每秒 {rate} 个',
  },
  'train.progress-start': {
    en: 'supervised start: {done} of {total} step{total||s}',
    zh: '监督学习起点：{done}/{total} 步',
  },
  'train.progress-steps': { en: 'step {done} of {total}', zh: 'step {done}/{total}' },
  'train.done': {
    en: 'done: klens diagnose {id}, klens checkpoints {id}; weights in {folder}',
    zh: '完成：可用 klens diagnose {id}、klens checkpoints {id} 查看；权重在 {folder}',
  },
  'train.stopped': {
    en: 'stopped after epoch {epoch}; the same command continues from there',
    zh: '已在 epoch {epoch} 之后停止；再次运行同一命令即可继续',
  },
  'train.not-together': { en: '{first} and {second} cannot be used together', zh: '{first} 与 {second} 不能同时使用' },
} as const satisfies Templates
