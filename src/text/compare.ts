import type { Templates } from './language.js'

/** `klens compare`: verdicts, their grounds, and what would settle an open question. */
export const compareTexts = {
  'compare.about': {
    en: 'judge runs against a baseline: better, worse, about the same, or undetermined',
    zh: '把 run 与基线比较：更好、更差、相当，或无法判定',
  },
  'compare.sides': {
    en: 'sides: a run, a folder or a pattern of replicates; the first is the baseline',
    zh: '各方：一个 run，或一组重复实验（文件夹或通配符）；第一个是基线',
  },
  'compare.option.metric': {
    en: 'metric to judge by, raw or canonical (default val.score)',
    zh: '用于判定的指标，原名或规范名（默认 val.score）',
  },
  'compare.option.margin': {
    en: 'differences below this count as the same: 0.02, or 5% of the baseline',
    zh: '等效界限：差异小于它即视为相当，可写 0.02，或基线的 5%',
  },
  'compare.option.goal': { en: 'max or min: which way is better', zh: 'max 或 min：哪个方向更好' },
  'compare.option.window': { en: 'only steps FROM:TO', zh: '只用 FROM:TO 之间的 step' },
  'compare.needs-two': { en: 'name at least two sides', zh: '请至少给出两方' },
  'compare.no-metric': {
    en: 'the sides share no metric "{metric}"; name one with --metric (shared: {shared})',
    zh: '各方没有共同的指标“{metric}”；请用 --metric 指定（共同指标：{shared}）',
  },
  'compare.bad-margin': {
    en: '--margin is "{value}"; it must be a positive number or a percentage',
    zh: '--margin 是“{value}”，应为正数或百分比',
  },
  'compare.bad-goal': { en: '--goal is "{value}"; it must be max or min', zh: '--goal 是“{value}”，只能是 max 或 min' },
  'compare.bad-window': {
    en: '--window is "{value}"; it must look like 100:400',
    zh: '--window 是“{value}”，应写成 100:400',
  },
  'compare.not-replicates': {
    en: 'the runs of "{side}" are no replicates: they differ in {keys}; name them as sides of their own',
    zh: '“{side}”中的 run 不是重复实验，它们的 {keys} 不同；请分别作为一方给出',
  },

  'compare.no-shared-steps': { en: 'no evaluation step is shared', zh: '没有共同的验证 step' },
  'compare.too-few': {
    en: '{n} shared evaluations; an interval needs {needed}',
    zh: '共同验证只有 {n} 次，至少 {needed} 次才能给出区间',
  },
  'compare.no-goal': {
    en: 'nobody has said which direction is better; --goal does',
    zh: '未说明哪个方向更好，请用 --goal 指定',
  },
  'compare.paired': {
    en: '{n} shared evaluations, steps {from}–{to}, on the same prompts',
    zh: '共同验证 {n} 次，step {from}–{to}，使用同一批验证样本',
  },
  'compare.one-seed': {
    en: 'about these two runs, on these prompts; one seed each says nothing about the settings',
    zh: '结论只针对这两个 run 和这批验证样本；每种配置只有 1 个种子，不能推广到配置本身',
  },
  'compare.few-seeds': {
    en: 'about these runs; {first} and {second} seeds do not speak about the settings, which takes {needed} each',
    zh: '结论只针对这些 run；种子数分别为 {first} 和 {second}，至少各 {needed} 个才能谈配置',
  },
  'compare.runs-each': {
    en: '{first} against {second} runs, the mean of {evals} shared evaluations each',
    zh: '{first} 个 run 对 {second} 个 run，各取 {evals} 次共同验证的均值',
  },
  'compare.no-final': {
    en: 'the last third of the shared evaluations holds {n}; {needed} are needed',
    zh: '共同验证的最后三分之一只有 {n} 次，至少需要 {needed} 次',
  },
  'compare.settle-seeds': {
    en: 'for the settings: at least {more} more seeds each',
    zh: '针对配置：每种配置至少再补 {more} 个种子',
  },
  'compare.level-reached': {
    en: 'level {level}, reached and held: baseline at step {first}, other at step {second}',
    zh: '达到并保持 {level}：基线在 step {first}，另一方在 step {second}',
  },
  'compare.sooner-odds': {
    en: 'redrawn with their own noise, the baseline is sooner in {first} %, the other in {second} %, neither in {tie} %',
    zh: '按各自的噪声重抽：基线更早 {first}%，另一方更早 {second}%，不分先后 {tie}%',
  },
  'compare.spread-ratio': {
    en: 'spread around the course, other over baseline: {ratio} ({low} … {high})',
    zh: '围绕走势的波动之比（另一方 / 基线）：{ratio}（{low} … {high}）',
  },
  'compare.no-step-time': { en: 'no step time was logged on both sides', zh: '双方没有都记录每步用时' },
  'compare.estimates-left-out': {
    en: '{side}: {count} cells marked as estimates are left out',
    zh: '{side}：{count} 个标为估计的值已排除',
  },

  'answer.better': { en: 'BETTER', zh: '更好' },
  'answer.worse': { en: 'WORSE', zh: '更差' },
  'answer.same': { en: 'ABOUT THE SAME', zh: '相当' },
  'answer.different-but-small': { en: 'DIFFERENT, BUT SMALLER THAN THE MARGIN', zh: '有差异，但小于等效界限' },
  'answer.undetermined': { en: 'UNDETERMINED', zh: '无法判定' },
  'answer.higher': { en: 'HIGHER', zh: '更高' },
  'answer.lower': { en: 'LOWER', zh: '更低' },
  'question.checkpoint': { en: 'checkpoint', zh: 'checkpoint' },
  'question.level': { en: 'level', zh: '整体水平' },
  'question.final': { en: 'final', zh: '后期水平' },
  'question.speed': { en: 'speed', zh: '快慢' },
  'question.stability': { en: 'stability', zh: '稳定性' },
  'question.cost': { en: 'cost', zh: '开销' },
  'scope.checkpoints': { en: 'these checkpoints', zh: '这些 checkpoint' },
  'scope.runs': { en: 'these runs', zh: '这些 run' },
  'scope.configs': { en: 'the settings', zh: '配置' },
  'compare.interval': { en: '95 % interval  {low} … {high}', zh: '95% 置信区间  {low} … {high}' },
  'compare.steps-apart': { en: '{low} … {high} steps', zh: '{low} … {high} 步' },
  'compare.not-same': {
    en: 'Not shown equal either: at a margin of {margin} equality fails; it would pass at {smallest}.',
    zh: '也不能说“相当”：按 {margin} 的等效界限不成立，放宽到 {smallest} 才成立。',
  },
  'compare.smallest': {
    en: 'They would count as the same from a margin of {smallest} on.',
    zh: '等效界限放宽到 {smallest}，才能说“相当”。',
  },
  'compare.differences': {
    en: '{count} known {count|setting differs|settings differ}{note}',
    zh: '有 {count} 项已知配置不同{note}',
  },
  'compare.cannot-credit': { en: ', so none can be credited', zh: '，无法归因到其中任何一项' },
  'compare.no-differences': { en: 'No setting differs that klens can see', zh: '未发现不同的配置' },
} as const satisfies Templates
