/** Arithmetic over a, b, c and d: numbers, + - * / ^, a sign, brackets. Nothing else is understood, nothing is executed. */

export type Variables = readonly [a: number, b: number, c: number, d: number]

type Formula = (variables: Variables) => number

/** Null where the text is no formula. */
export function readFormula(text: string): Formula | null {
  const tokens = text.match(/\d+(?:\.\d+)?|[a-d]|[-+*/^()]|\S/g) ?? []
  let at = 0

  function sum(): Formula | null {
    let left = product()
    while (left !== null && (tokens[at] === '+' || tokens[at] === '-')) left = combined(left, tokens[at++], product())
    return left
  }

  function product(): Formula | null {
    let left = signed()
    while (left !== null && (tokens[at] === '*' || tokens[at] === '/')) left = combined(left, tokens[at++], signed())
    return left
  }

  function signed(): Formula | null {
    if (tokens[at] !== '-') return power()
    at += 1
    const inner = signed()
    return inner === null ? null : variables => -inner(variables)
  }

  /** To the right: 2^3^2 is 2^9. */
  function power(): Formula | null {
    const base = atom()
    if (base === null || tokens[at] !== '^') return base
    at += 1
    return combined(base, '^', signed())
  }

  function atom(): Formula | null {
    const token = tokens[at++] ?? ''
    if (token === '(') {
      const inner = sum()
      return tokens[at++] === ')' ? inner : null
    }
    const variable = token.length === 1 ? 'abcd'.indexOf(token) : -1
    if (variable >= 0) return variables => variables[variable]
    return /^\d/.test(token) ? () => Number(token) : null
  }

  const formula = sum()
  return at === tokens.length ? formula : null
}

function combined(left: Formula, operator: string, right: Formula | null): Formula | null {
  if (right === null) return null
  switch (operator) {
    case '+':
      return variables => left(variables) + right(variables)
    case '-':
      return variables => left(variables) - right(variables)
    case '*':
      return variables => left(variables) * right(variables)
    case '/':
      return variables => left(variables) / right(variables)
    default:
      return variables => left(variables) ** right(variables)
  }
}
