import { expect, test } from 'vitest'
import { readDocument } from './document.js'
import { htmlAsMarkdown, isHtml } from './html.js'

const PAGE = `<!doctype html>
<html><head><title>1.234</title><style>p { width: 99.5% }</style></head>
<body>
<h2>Scores &amp; steps</h2>
<p>The reward rose from <b>1.50</b> to 1.75
(<span title="a > b">+16.7 %</span>) at lr_x 2 &lt; 3.</p>
<svg><text>5.55</text></svg>
<table>
<thead><tr><th>step</th><th>a | b</th></tr></thead>
<tbody>
<tr><td>10</td><td><strong>0.512</strong></td></tr>
<tr><td>20</td><td>0.498</td></tr>
</tbody>
</table>
<ul><li>one 4.25</li><li>two</li></ul>
<script>var x = 7.77</script>
</body></html>
`

test('a page is read like the Markdown that says the same', () => {
  expect(isHtml(PAGE)).toBe(true)
  const { text } = htmlAsMarkdown(PAGE)
  expect(
    text
      .replace(/ *\n */g, '\n')
      .replace(/\n{2,}/g, '\n\n')
      .trim(),
  ).toBe(
    [
      '## Scores & steps',
      'The reward rose from **1.50** to 1.75 (+16.7 %) at lr\\_x 2 < 3.',
      '| step | a \\| b |\n| --- | --- |\n| 10 | **0.512** |\n| 20 | 0.498 |',
      '- one 4.25\n- two',
    ].join('\n\n'),
  )
  expect(readDocument('page.html', text).tables).toHaveLength(1)
})

test.each(['1.50', '+16.7 %', '0.512', '0.498', '4.25', '< 3'])('%s knows its place in the page', figure => {
  const { text, originOf } = htmlAsMarkdown(PAGE)
  const wanted = figure.replace('<', '&lt;')
  expect(originOf(text.indexOf(figure))).toBe(PAGE.indexOf(wanted))
})

test('Markdown that begins with a tag is no page', () => {
  expect(isHtml('<p align="center">\n\n# Title')).toBe(false)
})
