import type { Templates } from './language.js'

/** Words on charts. */
export const drawingTexts = {
  'drawing.step': { en: 'step', zh: 'step' },
  'drawing.difference': { en: 'difference', zh: '差' },
  'drawing.mean-difference': { en: 'mean and its 95 % interval', zh: '均值及其 95% 置信区间' },
  'drawing.margin': { en: 'margin ±{margin}', zh: '等效界限 ±{margin}' },
  'drawing.envelope': {
    en: 'each point is the range of {n} steps',
    zh: '每个点是 {n} 步的取值范围',
  },
  'drawing.shared': { en: 'shared steps', zh: '共同 step' },
  'drawing.missing': { en: 'missing', zh: '缺失' },
  'drawing.identical': { en: '= same to the last digit', zh: '= 逐位相同' },
  'drawing.score': { en: 'reported score ± its error', zh: '报告得分 ± 误差' },
  'drawing.alike': { en: 'cannot be told from the best', zh: '与最优无法区分' },
  'drawing.shrunken': { en: 'best, luck taken off', zh: '最优值，去掉运气后' },
  'drawing.start': { en: 'start', zh: '起点' },
  'drawing.end': { en: 'end', zh: '终点' },
} as const satisfies Templates
