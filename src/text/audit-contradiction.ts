import type { Templates } from './language.js'

/** What the audit says where a report contradicts itself. */
export const auditContradictionTexts = {
  'audit.extremum-high': {
    en: '{found} is not the highest {column}: {where} has {expected}',
    zh: '{found} 不是“{column}”的最高值：{where} 为 {expected}',
  },
  'audit.extremum-low': {
    en: '{found} is not the lowest {column}: {where} has {expected}',
    zh: '{found} 不是“{column}”的最低值：{where} 为 {expected}',
  },
  'audit.stale-best': {
    en: 'best of {column} is {best} ({where}; also line {line}), not {found}: the sentence is older than the table',
    zh: '“{column}”的最佳值是 {best}（{where}，另见第 {line} 行），不是 {found}：这句话没有随表格更新',
  },
  'audit.range-contradicted': {
    en: 'outside {found}: {rows} ({column})',
    zh: '不在 {found} 之内：{rows}（{column}）',
  },
  'audit.sign-positive': {
    en: '“{found}”, but negative in {column}: {rows}',
    zh: '“{found}”与表格不符，“{column}”为负：{rows}',
  },
  'audit.sign-negative': {
    en: '“{found}”, but positive in {column}: {rows}',
    zh: '“{found}”与表格不符，“{column}”为正：{rows}',
  },
  'audit.all-contradicted': {
    en: 'not {found} everywhere in {column}: {rows}',
    zh: '“{column}”并非处处为 {found}：{rows}',
  },
  'audit.order-contradicted': {
    en: '{left} {real} {right}, not {sign}',
    zh: '{left} {real} {right}，不是 {sign}',
  },
  'audit.order-yardstick': {
    en: '{left} and {right} are called equal at {equalGap} apart, while {other} and {term} at {gap} apart are put in order',
    zh: '{left} 与 {right} 相差 {equalGap} 算作约等于，{other} 与 {term} 只差 {gap} 却分了先后',
  },
  'audit.swing-omits-change': {
    en: 'largest change is {change} % (step {fromStep} → {toStep}: {from} → {to}), not {found} %',
    zh: '最大变化是 {change}%（step {fromStep} → {toStep}：{from} → {to}），不是 {found}%',
  },
  'audit.final-is-best': {
    en: '{best} is the best evaluation (step {bestStep}), not the final one: step {lastStep} has {last}',
    zh: '{best} 是最佳验证值（step {bestStep}），不是最终值：step {lastStep} 为 {last}',
  },
  'audit.final-gap-is-best-gap': {
    en: '{found} % is the gap between the bests ({bestA}, {bestB}); at the last evaluation (step {step}: {lastA}, {lastB}) it is {expected}',
    zh: '{found} 是两个最佳值（{bestA}、{bestB}）之差；最后一次验证（step {step}：{lastA}、{lastB}）相差 {expected}',
  },
  'audit.stabler-swings-more': {
    en: 'largest swing {more} % against {less} %: by the report’s own figure the run that line {line} calls stabler swings more',
    zh: '最大波动 {more}% 对 {less}%：按报告自己的数字，第 {line} 行称为更稳定的一方波动反而更大',
  },
  'audit.smoother-turns-more': {
    en: '“smoother”, but the curve travels farther (total variation {own} against {other}) and turns {turns} times against {otherTurns}',
    zh: '“更平滑”与数据不符：曲线总变差为 {own}（另一方 {other}），转向 {turns} 次（另一方 {otherTurns} 次）',
  },
  'audit.fluctuation-denied': {
    en: 'the curve moves by {fall} % (step {fallFrom} → {fallTo}) and {rise} % (step {riseFrom} → {riseTo}) between evaluations',
    zh: '相邻两次验证之间曾变化 {fall}%（step {fallFrom} → {fallTo}）和 {rise}%（step {riseFrom} → {riseTo}）',
  },
  'audit.decline-without-rival': {
    en: 'by its own table {steady} never declines, while {falling} declines {count} {count|time|times}, by up to {worst} %',
    zh: '按报告自己的表格，{steady} 从未下降，{falling} 下降了 {count} 次，最大 {worst}%',
  },
  'audit.stable-while-moving': {
    en: '“{word}”, but {from} → {to} is {change} %',
    zh: '“{word}”与数字不符：{from} → {to} 变化了 {change}%',
  },
  'audit.window-hides-change': {
    en: 'the windows {first} and {second} leave out the largest change: step {fromStep} → {toStep}: {from} → {to} ({change} %)',
    zh: '{first} 与 {second} 两段之间漏掉了最大的变化：step {fromStep} → {toStep}：{from} → {to}（{change}%）',
  },
  'audit.bigger-move-unmarked': {
    en: '{found} % is marked as big, {rival} % at step {step} is not',
    zh: '{found}% 被标为大幅变化，step {step} 的 {rival}% 更大却没有标',
  },
  'audit.progress-contradicted': {
    en: '“{found}”, but line {line} says that the training is complete',
    zh: '“{found}”与第 {line} 行“训练已完成”矛盾',
  },
  'audit.progress-steps-done': {
    en: 'asks for training to {goal} steps; {total} are done already (line {line})',
    zh: '要求训练到 {goal} 步，而训练早已完成 {total} 步（第 {line} 行）',
  },
  'audit.complete-but-partial': {
    en: '“{found}” holds {count} evaluations up to step {last}: {share} % of {total} steps',
    zh: '“{found}”只有 {count} 次验证，止于 step {last}，占 {total} 步的 {share}%',
  },
  'audit.pending-but-filled': {
    en: '“{found}”, but the table at line {line} is filled ({count} {count|row|rows})',
    zh: '标题写着“{found}”，但第 {line} 行的表格已经填满（{count} 行）',
  },
  'audit.open-but-filled': {
    en: '{name} is ticked as open, but its row is filled (line {line})',
    zh: '{name} 未勾选，但对应的行已经填好（第 {line} 行）',
  },
  'audit.done-but-pending': {
    en: '{name} is ticked as done, but its row is still open (line {line})',
    zh: '{name} 已勾选，但对应的行仍未填（第 {line} 行）',
  },
  'audit.compared-with-pending': {
    en: '{found} against {baseline}, whose row in this table is still open',
    zh: '{found} 是与 {baseline} 相比，而本表中 {baseline} 一行尚未填写',
  },
  'audit.extremum-over-pending': {
    en: 'an extreme of {column} is named while {name} is still open',
    zh: '{name} 尚未填写，就已点名“{column}”的最高或最低',
  },
  'audit.title-subject-missing': {
    en: '{name} is in the title, but {count} of its {of} {of|row|rows} {count|is|are} open (line {lines})',
    zh: '标题中的 {name} 共有 {of} 行数据，其中 {count} 行为空（第 {lines} 行）',
  },
  'audit.value-contradicted': {
    en: '{found}, but line {line} has {expected} ({where})',
    zh: '此处为 {found}，第 {line} 行为 {expected}（{where}）',
  },
  'audit.opposite-statements': {
    en: '“{found}”: line {line} says the opposite: “{other}”',
    zh: '“{found}”与第 {line} 行相反：“{other}”',
  },
  'audit.step-comparison': {
    en: '“{word}”, but at step {step} it is {meant} against {rival}',
    zh: '“{word}”与表格不符：step {step} 为 {meant}，另一方为 {rival}',
  },
  'audit.trend-contradicted': {
    en: '“{found}”, but {column} goes from {first} ({start}) to {last} ({where})',
    zh: '“{found}”与表格不符：“{column}”从 {first}（{start}）变为 {last}（{where}）',
  },
  'audit.trend-falls-short': {
    en: '“{found}” to {goal}, but {column} ends at {last} ({where})',
    zh: '“{found}”至 {goal} 与表格不符：“{column}”在 {where} 为 {last}',
  },
  'audit.ranking-omits': {
    en: '{first}–{last} would rank before {name} ({value}) in “{title}” (line {line}), which lists none of them',
    zh: '按此数值，{first}–{last} 应排在“{title}”（第 {line} 行）的 {name}（{value}）之前，而表中一个也没有',
  },
} as const satisfies Templates
