import type { Templates } from './language.js'

/** `klens eval`. */
export const evalTexts = {
  'eval.about': {
    en: 'evaluate checkpoints of a selector at several shots, prompt by prompt',
    zh: '在多种 shots 下逐样本评测 checkpoint',
  },
  'eval.checkpoints': { en: 'checkpoints: safetensors or .pt', zh: 'checkpoint：safetensors 或 .pt' },
  'eval.option.shots': { en: 'numbers of examples to choose, such as 1,2,3,4', zh: '选取的示例个数，如 1,2,3,4' },
  'eval.option.samples': { en: 'how many queries (default: all of the split)', zh: '评测样本数（默认整个划分）' },
  'eval.option.split': { en: 'train, val or test', zh: '划分：train、val 或 test' },
  'eval.bad-shots': { en: '--shots is "{value}"; it must look like 1,2,4', zh: '--shots 是“{value}”，应写成 1,2,4' },
  'eval.bad-split': {
    en: '--split is "{value}"; it must be train, val or test',
    zh: '--split 是“{value}”，只能是 train、val 或 test',
  },
  'eval.no-selector': { en: '{path} holds no selector policy', zh: '{path} 中没有选择策略' },
  'eval.width': {
    en: '{path} takes embeddings of width {width}; the task has {has}: give the width it was trained with',
    zh: '{path} 的嵌入宽度是 {width}，任务是 {has}；请使用训练时的宽度',
  },
  'eval.agreement': {
    en: 'identical choices: {first} and {second} agree on {percent} % of {n} queries at {shots} {shots|shot|shots}',
    zh: '选择一致：{first} 与 {second} 在 {shots} shot 下有 {percent}% 的选择相同（共 {n} 个样本）',
  },
} as const satisfies Templates
