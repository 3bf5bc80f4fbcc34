// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell scripts
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { commandsIn } from './commands.js'
import { UNKNOWN } from './values.js'

/** The words of every command, with `?` for what is not known. */
function wordsIn(script: string): readonly string[] {
  return commandsIn(script).map(({ words }) => words.map(({ text }) => text.replaceAll(UNKNOWN, '?')).join(' '))
}

describe('reading a script', () => {
  it.each([
    ['quotes fall away', `run a='b c' "d e" f\\ g`, ['run a=b c d e f g']],
    ['variables', 'X=1\nrun $X ${X}2 "$X $X"', ['run 1 12 1 1']],
    ['defaults', 'run ${A:-1} ${B:-"x y"} ${C-3}; : ${D:=4}; run $D', ['run 1 x y 3', 'run 4']],
    ['a default of a default', 'A=${A:-"${B:-deep}/x"}; run $A', ['run deep/x']],
    ['continued lines, also within a word', 'run a \\\n  b lr=1\\\n c', ['run a b lr=1 c']],
    ['line ends of Windows', 'X=1\r\nrun $X \\\r\n  b\r\n', ['run 1 b']],
    ['comments', 'run a # b\n# run c\nrun d#e', ['run a', 'run d#e']],
    ['arrays', 'A=(x "y z" # no\n w)\nA+=(v)\nrun "${A[@]}"', ['run x y z w v']],
    ['splitting of what is not quoted', 'A="x=1  y=2"\nrun $A "$A"', ['run x=1 y=2 x=1  y=2']],
    ['sums', 'N=$((1024 * 2)); run $(((N + 1) * 3))', ['run 6147']],
    ['what only running tells', 'run a=$(date) b=`hostname` $NOBODY c$1', ['run a=? b=? ? c?']],
    ['here-documents are no commands', "cat > x <<'EOF'\nrun $(rm x)\nEOF\nrun b", ['cat', 'run b']],
    ['redirections are no arguments', 'run a 2>&1 | tee log >> x', ['run a', 'tee log']],
    ['functions', 'go() {\n run $1 "$@"\n}\ngo a b', ['run a a b']],
    ['a decided test', 'if [ "${X:-4}" = 4 ]; then Y=1; else Y=2; fi; run $Y', ['run 1']],
    ['an undecided test: what both agree on', 'A=1;B=1\nif foo; then A=2; B=1; fi\nrun $A $B', ['foo', 'run ? 1']],
    [
      'an option that only one branch appends hides no other',
      'A=(x y); B="u v"\nif foo; then A+=(z); B="$B w"; fi\nrun "${A[@]}" $B',
      ['foo', 'run x y ? u v ?'],
    ],
    ['a branch that ends the script', 'X=1\nif foo; then X=2; exit 1; fi\nrun $X', ['foo', 'run 1']],
    ['either of two', '[ -n "$A" ] || A=1; cd /x || exit 1; run $A', ['cd /x', 'run ?']],
    ['loops are read once', 'for s in 1 2 3; do run seed=$s; done', ['run seed=?']],
    ['a loop over one', 'for s in 7; do run seed=$s; done', ['run seed=7']],
    ['a choice', 'case $1 in a) X=1;; *) X=2;; esac\nrun $X', ['run ?']],
    ['eval', `C="run a"; eval "$C b"`, ['run a b']],
    ['variables that grow', 'A=x; A+=y; export B=$A; run $B', ['run xy']],
  ])('%s', (_, script, expected) => expect(wordsIn(script)).toEqual(expected))

  it('knows the line of every word, also of an array that is defined elsewhere', () => {
    const [command] = commandsIn('ARGS=(\n  a=1\n  b=2\n)\nrun x \\\n  "${ARGS[@]}" \\\n  y')
    expect(command.words.map(({ text, line }) => [text, line])).toEqual([
      ['run', 5],
      ['x', 5],
      ['a=1', 2],
      ['b=2', 3],
      ['y', 7],
    ])
  })

  it('says which words whoever starts the script supplies', () => {
    const [command] = commandsIn('run a "$@" $1 ${@:2}')
    expect(command.words.flatMap(({ passes }) => passes ?? [])).toEqual(['@', '1', '@'])
  })
})

describe('a hostile script', () => {
  const MEGABYTES = 10 << 20
  it.each([
    ['one long line', `run ${'x'.repeat(MEGABYTES)}`],
    ['backticks', '`'.repeat(MEGABYTES)],
    ['open substitutions', '$('.repeat(MEGABYTES / 2)],
    ['open expansions', '${a:-'.repeat(MEGABYTES / 5)],
    ['open quotes', '"$('.repeat(MEGABYTES / 3)],
    ['open brackets', '( '.repeat(MEGABYTES / 2)],
    ['open tests', 'if '.repeat(MEGABYTES / 3)],
    ['many variables', 'A=$A$A\n'.repeat(MEGABYTES / 8)],
    ['here-documents without end', 'cat <<E\n'.repeat(20_000)],
  ])('of %s ends', (_, script) => expect(() => commandsIn(script)).not.toThrow())

  it.each([
    ['a variable that doubles', `A=xx\n${'A=$A$A\n'.repeat(60)}run $A`],
    ['an array that doubles', `A=(x)\n${'A=("${A[@]}" "${A[@]}")\n'.repeat(60)}run "\${A[@]}"`],
    ['a function that calls itself', 'f() { f; f; run; }\nf\n'],
    ['functions that call each other', 'f() { g; g; }\ng() { f; f; }\nf\n'],
    ['eval of eval', 'A=\'eval "$A"\'\neval "$A"\n'],
    ['a default that asks for itself', 'A=${A:-${A:-${A}}}\nrun $A'],
  ])('with %s ends, with little in memory', (_, script) => {
    const characters = commandsIn(script).reduce(
      (sum, { words }) => sum + words.reduce((within, { text }) => within + text.length, 0),
      0,
    )
    expect(characters).toBeLessThan(1 << 25)
  })

  it('of any characters is read without an error, and every line is one of its own', () => {
    const piece = fc.constantFrom(
      ...[
        '$',
        '{',
        '}',
        '(',
        ')',
        '((',
        '))',
        '"',
        "'",
        '`',
        '\\',
        '\n',
        ' ',
        '#',
        '=',
        ':-',
        ';',
        '&&',
        '||',
        '<<',
        '>',
      ],
      ...[
        'if ',
        'then ',
        'fi',
        'for ',
        ' in ',
        'do ',
        'done',
        'case ',
        'esac',
        ';;',
        'A',
        'A=',
        'A=(',
        '${A[@]}',
        '$@',
        'run',
      ],
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), pieces => {
        const script = pieces.join('')
        const lines = script.split('\n').length
        for (const { words } of commandsIn(script)) {
          for (const { line } of words) expect(line).toBeLessThanOrEqual(lines)
        }
      }),
      { numRuns: 2_000 },
    )
  })
})
