import { useCallback, useEffect, useState } from 'react'

/** A verdict takes seconds of all cores, and curves a tenth of one: those are drawn first, unless they take long too. */
const LONGEST_WAIT_MS = 1000

export function useTurn(): readonly [isTurn: boolean, takeTurn: () => void] {
  const [isTurn, setIsTurn] = useState(false)
  const takeTurn = useCallback(() => setIsTurn(true), [])
  useEffect(() => {
    const timer = globalThis.setTimeout(takeTurn, LONGEST_WAIT_MS)
    return () => globalThis.clearTimeout(timer)
  }, [takeTurn])
  return [isTurn, takeTurn]
}
