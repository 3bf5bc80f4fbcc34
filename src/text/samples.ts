import type { Templates } from './language.js'

/** `klens samples`: which prompts flipped, and why answers fail. */
export const samplesTexts = {
  'samples.about': {
    en: 'single responses: which prompts flipped, why responses fail',
    zh: '逐条回答：哪些样本翻转、为何答错',
  },
  'samples.sides': {
    en: 'one or two checkpoints, such as RUN@40; or a RUN, to see what was rewarded step by step',
    zh: '一个或两个 checkpoint，例如 RUN@40；或只给 RUN，逐步查看得分最高的回答',
  },
  'samples.course.steps': {
    en: '{n} step{n||s} with responses, {shown} shown (--limit)',
    zh: '{n} 个 step 有回答，显示其中 {shown} 个（--limit）',
  },
  'samples.course.step': { en: 'step', zh: 'step' },
  'samples.course.answers': { en: 'responses', zh: '回答' },
  'samples.course.mean': { en: 'mean', zh: '平均分' },
  'samples.course.best': { en: 'best', zh: '最高分' },
  'samples.course.top': { en: 'with best', zh: '得此分' },
  'samples.course.distinct': { en: 'distinct', zh: '不同文本' },
  'samples.course.top-length': { en: 'characters, best', zh: '最高分字符数' },
  'samples.course.length': { en: 'all', zh: '全部字符数' },
  'samples.course.examples': {
    en: 'One of the highest-rewarded responses at each step (of median length)',
    zh: '各 step 得分最高的回答之一（取长度居中的一条）',
  },
  'samples.course.hint': {
    en: 'RUN@STEP shows one step in full: why responses fail, --failures with their texts; --json has whole responses.',
    zh: 'RUN@STEP 可查看某一步的全部情况：回答为何失败，--failures 附原文；--json 含完整回答。',
  },
  'samples.option.flips': {
    en: 'show the prompts that flipped, responses side by side',
    zh: '并排显示翻转的样本及其回答',
  },
  'samples.option.failures': { en: 'show failed responses of each class', zh: '按类别显示失败的回答' },
  'samples.option.metric': {
    en: 'which score, raw or canonical (default: the validation score)',
    zh: '用哪个得分，原名或规范名（默认验证得分）',
  },
  'samples.option.condition': {
    en: 'if samples have several conditions: dataset, shots, temperature or split (repeatable)',
    zh: '同一 step 有多种条件时指定：dataset、shots、temperature 或 split（可重复）',
  },
  'samples.option.limit': { en: 'how many prompts to show (default 5)', zh: '最多显示多少个样本（默认 5）' },
  'samples.option.top': {
    en: 'the N answers with the highest score at a step, in full (default step: the last)',
    zh: '显示该 step 得分最高的 N 条回答全文（默认最后一个 step）',
  },
  'samples.option.search': {
    en: 'answers whose prompt or text holds these words',
    zh: '只看 prompt 或回答中含有这些文字的',
  },
  'samples.option.scores': { en: 'answers with scores from LOW to HIGH', zh: '只看得分在 LOW 到 HIGH 之间的回答' },
  'samples.option.ended': { en: 'answers that ended for this reason', zh: '只看因此原因结束的回答' },
  'samples.option.prompt': { en: 'all answers to the prompt of this id', zh: '显示该 id 的 prompt 的全部回答' },
  'samples.option.order': {
    en: 'highest (default), lowest, longest, shortest, repeated or prompt first',
    zh: '排序：highest（默认）、lowest、longest、shortest、repeated 或 prompt',
  },
  'samples.option.all-steps': { en: 'answers of all steps, not of one', zh: '所有 step 的回答，而非单个 step' },
  'rollouts.bad-scores': { en: '--scores is {value}; it can be 0.5:1', zh: '--scores 为 {value}，应形如 0.5:1' },
  'rollouts.bad-order': {
    en: '--order is {value}; it can be highest, lowest, longest, shortest, repeated or prompt',
    zh: '--order 为 {value}，应为 highest、lowest、longest、shortest、repeated 或 prompt',
  },
  'rollouts.head': {
    en: '{found} of {total} answers, {shown} shown',
    zh: '{total} 条回答中符合 {found} 条，显示 {shown} 条',
  },
  'rollouts.at': { en: 'step {step}', zh: 'step {step}' },
  'rollouts.all-steps': { en: 'all {n} steps', zh: '全部 {n} 个 step' },
  'rollouts.scores': { en: 'Scores', zh: '得分分布' },
  'rollouts.ends': { en: 'Reasons of ending', zh: '结束原因' },
  'rollouts.distinct': {
    en: '{repeated} of {answers} answers are identical to another one; {distinct} different texts.',
    zh: '{answers} 条回答中有 {repeated} 条与其他回答完全相同；共 {distinct} 种文本。',
  },
  'rollouts.pass': {
    en: 'pass@1 {oneFirst} → {oneLast}, pass@{k} {manyFirst} → {manyLast} ({metric}, steps {from}–{to})',
    zh: 'pass@1 {oneFirst} → {oneLast}，pass@{k} {manyFirst} → {manyLast}（{metric}，step {from}–{to}）',
  },
  'rollouts.pass-title': { en: 'pass@1 and pass@{k} ({metric})', zh: 'pass@1 与 pass@{k}（{metric}）' },
  'rollouts.mean': { en: 'mean', zh: '平均' },
  'rollouts.best': { en: 'highest', zh: '最高' },
  'rollouts.group': { en: '{difference} against its group of {n}', zh: '与同组 {n} 条均值之差 {difference}' },
  'rollouts.same': { en: '{n} identical answers', zh: '{n} 条完全相同' },
  'rollouts.ended': { en: 'ended: {why}', zh: '结束：{why}' },
  'rollouts.attempt': { en: 'attempt {n}', zh: '第 {n} 次' },
  'samples.too-many-sides': {
    en: 'klens samples takes one or two checkpoints',
    zh: 'klens samples 只接受一个或两个 checkpoint',
  },
  'samples.one-run': {
    en: '"{side}" matches {count} run{count||s}; klens samples takes one run per side',
    zh: '“{side}”对应 {count} 个 run；klens samples 每一侧只看一个 run 的回答',
  },
  'samples.bad-condition': {
    en: '--condition is {value}; it can be dataset=…, shots=…, temperature=… or split=…',
    zh: '--condition 为 {value}，应为 dataset=…、shots=…、temperature=… 或 split=…',
  },
  'samples.none': {
    en: "{side} has no per-sample scores. Import them: verl's validation_data_dir, TRL's completions folder, or a JSONL of prompt, output and score",
    zh: '{side} 没有逐样本得分。请导入：verl 的 validation_data_dir、TRL 的 completions 目录，或含 prompt、output、score 的 JSONL',
  },
  'samples.no-step': {
    en: '{side} has no samples at step {step}; it has samples at {steps}',
    zh: '{side} 在 step {step} 没有样本；有样本的 step：{steps}',
  },
  'samples.which-step': {
    en: '{side} has samples at several steps: {steps}. Choose one: {side}@{last}',
    zh: '{side} 在多个 step 有样本：{steps}。请指明：{side}@{last}',
  },
  'samples.no-metric': {
    en: 'the two share no such score; per-sample scores here: {metrics}. Choose one with --metric',
    zh: '各侧没有这个共同的得分；这里的逐样本得分有：{metrics}。请用 --metric 指定',
  },
  'samples.which-condition': {
    en: 'these scores have several conditions: {conditions}. Choose one, such as --condition {example}',
    zh: '这些得分来自多种条件：{conditions}。请指明，例如 --condition {example}',
  },
  'samples.no-condition': {
    en: 'the two share no such condition; there are: {conditions}',
    zh: '各侧没有这样的共同条件；现有：{conditions}',
  },
  'samples.no-shared': {
    en: '{first} and {second} share no prompt ({firstCount} and {secondCount} prompts), so nothing can be paired. Were they evaluated on the same prompts?',
    zh: '{first} 与 {second} 没有共同的样本（各 {firstCount} 与 {secondCount} 个），无法配对。两者评测的是同一批样本吗？',
  },
  'samples.head': {
    en: '{n} {n|prompt|prompts} answered by both',
    zh: '双方都回答了的样本：{n}',
  },
  'samples.head-one': { en: '{n} {n|prompt|prompts}, mean {mean}', zh: '{n} 个样本，均值 {mean}' },
  'samples.answers': { en: '{n} response{n||s}', zh: '{n} 条回答' },
  'samples.also': { en: 'also scored: {metrics} (--metric)', zh: '另有得分：{metrics}（--metric）' },
  'samples.both-right': { en: 'both right', zh: '都对' },
  'samples.both-wrong': { en: 'both wrong', zh: '都错' },
  'samples.to-right': { en: 'flipped to right', zh: '由错变对' },
  'samples.to-wrong': { en: 'flipped to wrong', zh: '由对变错' },
  'samples.up': { en: 'better', zh: '变好' },
  'samples.down': { en: 'worse', zh: '变差' },
  'samples.equal': { en: 'equal', zh: '不变' },
  'samples.quantiles': {
    en: 'differences: from {low} to {high}, the middle half between {quarter} and {threeQuarters}, median {median}',
    zh: '差值：{low} 到 {high}，中间一半在 {quarter} 与 {threeQuarters} 之间，中位数 {median}',
  },
  'samples.failures': { en: 'Failed responses', zh: '失败的回答' },
  'samples.no-failures': { en: 'no failed responses', zh: '没有失败的回答' },
  'samples.class.environment': { en: 'environment', zh: '环境错误' },
  'samples.class.truncated': { en: 'cut off', zh: '被截断' },
  'samples.class.unparsable': { en: 'unparsable', zh: '无法解析' },
  'samples.class.wrong': { en: 'wrong', zh: '答错' },
  'samples.class.unknown': { en: 'unknown', zh: '未知' },
  'samples.how.flag': { en: '{part} says so', zh: '由 {part} 标明' },
  'samples.how.error': {
    en: 'quotes an error of a tool, sandbox or server',
    zh: '回答中有工具、沙箱或服务的报错',
  },
  'samples.how.limit': { en: '{part} is at the limit of {limit} tokens', zh: '{part} 达到上限 {limit} 个 token' },
  'samples.how.no-end': {
    en: 'lacks the end token that most responses have',
    zh: '缺少多数回答都有的结束符',
  },
  'samples.how.open': {
    en: '<{tag}> is never closed, though most responses close it',
    zh: '<{tag}> 没有闭合，而多数回答都闭合了',
  },
  'samples.how.empty': { en: 'is empty', zh: '回答为空' },
  'samples.how.format': { en: '{part} is at its lowest', zh: '{part} 为最低值' },
  'samples.how.no-choice': {
    en: 'no answer was extracted, though most responses have one',
    zh: '没有提取到答案，而多数回答都有',
  },
  'samples.how.no-form': {
    en: 'has no {form}, which most right responses have',
    zh: '没有 {form}，而多数正确回答都有',
  },
  'samples.how.format-passed': { en: '{part} is at its highest', zh: '{part} 为最高值' },
  'samples.how.choice': { en: 'an answer was extracted', zh: '提取到了答案' },
  'samples.how.form': { en: 'has {form}', zh: '含有 {form}' },
  'samples.how.no-text': { en: 'the text of the response is not kept', zh: '没有保存回答文本' },
  'samples.how.nothing': {
    en: 'no sign in the response or its metadata',
    zh: '回答及其附带信息都看不出原因',
  },
  'samples.parts': { en: 'What changed with the flips', zh: '随翻转一起变化的分项' },
  'samples.part-row': {
    en: '{part}: fell in {down} of {lost} losses, rose in {up} of {gained} gains',
    zh: '{part}：变差的 {lost} 个样本中有 {down} 个下降，变好的 {gained} 个中有 {up} 个上升',
  },
  'samples.agreement.choice': {
    en: 'choices: the same on {identical} of {n} prompt{n||s} ({percent} %)',
    zh: '选择：{n} 个样本中有 {identical} 个相同（{percent}%）',
  },
  'samples.agreement.answer': {
    en: 'final answers, read from the texts: the same on {identical} of {n} prompt{n||s} ({percent} %)',
    zh: '最终答案（从文本读出）：{n} 个样本中有 {identical} 个相同（{percent}%）',
  },
  'samples.agreement.output': {
    en: 'responses word for word: the same on {identical} of {n} prompt{n||s} ({percent} %)',
    zh: '回答逐字比较：{n} 个样本中有 {identical} 个相同（{percent}%）',
  },
  'samples.agreement.sets': { en: '; in any order {asSets}', zh: '；不计顺序则 {asSets} 个' },
  'samples.agreement.all': {
    en: 'All identical. Two trainings hardly ever agree like this: were the same weights loaded twice? Check with klens weights diff A B.',
    zh: '全部相同。两次训练极少如此一致：是否两次加载了同一份权重？用 klens weights diff A B 检查。',
  },
  'samples.rescored': {
    en: '{count} of {n} word-for-word identical responses were scored differently: the scoring changed, or is random',
    zh: '{n} 条逐字相同的回答中有 {count} 条得分不同：评分方式变了，或带有随机性',
  },
  'samples.no-texts': {
    en: 'no responses of {side} are kept, only scores; failure classes and side-by-side views need the texts (a dump with input and output)',
    zh: '{side} 只保存了得分，没有回答文本；失败分类与并排对照需要文本（含 input 与 output 的转储）',
  },
  'samples.threshold': {
    en: 'the score is graded; a response counts as failed on the bad side of {threshold}, the middle of the observed range',
    zh: '得分是分级的；以所见范围的中点 {threshold} 为界，差的一侧算失败',
  },
  'samples.direction': {
    en: 'it is unknown which direction of {metric} is better; higher is assumed',
    zh: '不知道 {metric} 哪个方向更好；这里按越高越好处理',
  },
  'samples.unpaired': {
    en: '{side} has {prompts} prompt{prompts||s}, of which {shared} are shared; the others are left out',
    zh: '{side} 有 {prompts} 个样本，其中 {shared} 个为双方共有；其余不参与比较',
  },
  'samples.inputs-differ': {
    en: '{count} of {n} prompt{n||s} have the same id but different texts: pairing by id may be wrong',
    zh: '{n} 个样本中有 {count} 个 id 相同而 prompt 不同：按 id 配对可能有误',
  },
  'samples.flips': { en: 'Flipped', zh: '翻转的样本' },
  'samples.more': { en: '{count} more (--limit)', zh: '还有 {count} 个（--limit）' },
  'samples.show-flips': {
    en: '--flips shows the responses side by side, --failures those that failed.',
    zh: '--flips 并排显示回答，--failures 显示失败的回答。',
  },
  'samples.show-failures': { en: '--failures shows the responses that failed.', zh: '--failures 显示失败的回答。' },
  'samples.input': { en: 'prompt', zh: 'prompt' },
  'samples.expected': { en: 'expected', zh: '标准答案' },
  'samples.alike': { en: '… {count} identical characters …', zh: '…… 相同的 {count} 个字符 ……' },
  'samples.cut': { en: '… {count} more characters', zh: '…… 还有 {count} 个字符' },
  'samples.empty-output': { en: '(empty)', zh: '（空）' },
  'samples.no-output': { en: '(response not kept)', zh: '（没有保存回答）' },
} as const satisfies Templates
